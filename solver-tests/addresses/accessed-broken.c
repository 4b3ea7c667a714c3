// expect: failed
// Where a pointer has been accessed on one way alone, it may be one past its object, which may be another one.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int row[4], other;
int main(void) {
  int j = __VERIFIER_nondet_int();
  if (j < 0 || j > 4) return 0;
  int *p = row + j;
  if (__VERIFIER_nondet_int()) *p = 1;
  assert(p != &other);
}
