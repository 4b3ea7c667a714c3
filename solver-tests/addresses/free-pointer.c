// expect: complete
// A pointer to what was freed keeps its value, and equals its copies.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(8);
  uintptr_t u = (uintptr_t)p;
  free(p);
  int *copy = p;
  assert(copy == p && p != 0);
  assert((uintptr_t)p == u);
}
