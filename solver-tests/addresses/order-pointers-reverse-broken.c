// expect: failed
// Variables need not stand against the order of their declarations.
#include <assert.h>
static int a, b;
int main(void) {
  int *p = &a, *q = &b;
  assert(p > q);
}
