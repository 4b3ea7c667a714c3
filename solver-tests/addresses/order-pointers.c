// expect: complete
// Pointers are ordered as their numbers are.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  int a, b;
  int *p = &a, *q = &b, *r = malloc(sizeof *r);
  assert((p < q) == ((uintptr_t)p < (uintptr_t)q));
  assert(p < q || q < p);
  assert(!(p < q && q < r) || p < r);
}
