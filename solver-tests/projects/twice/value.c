
int value(void) { return 2; } // error: `value` is defined twice
