inline int twice(int n) { return 2 * n; }
extern inline __attribute__((gnu_inline)) int gnu(int n) { return n + 1; }
