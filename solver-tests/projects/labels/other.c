int f(void) __asm__("other_three");
int f(void) { return 3; }
int other_total = 4;
