static int hidden(void) { return 1; }
int shown(void) { return hidden(); }
