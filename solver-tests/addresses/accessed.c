// expect: complete
// A pointer that has been accessed on all ways is inside its object, and is no other one.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int row[4], other;
int main(void) {
  int j = __VERIFIER_nondet_int();
  if (j < 0 || j > 3) return 0;
  int *p = row + j;
  if (__VERIFIER_nondet_int()) *p = 1;
  else *p = 2;
  assert(p != &other);
}
