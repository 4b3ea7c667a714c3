__attribute__((weak)) int chosen(void) { return 1; }
__attribute__((weak)) int default_only(void) { return 1; }
int level __attribute__((weak)) = 4;
