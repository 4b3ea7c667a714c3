int chosen(void) { return 2; }
int level = 5;
