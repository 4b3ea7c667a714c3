// expect: failed
// A pointer to an object or to where another one may be.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int a, b;
int main(void) {
  int *p = __VERIFIER_nondet_int() ? &a : (int *)0x10000;
  assert(p != &b);
}
