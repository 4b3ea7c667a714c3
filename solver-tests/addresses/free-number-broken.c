// expect: failed
// Memory comes back after `free`, as a number.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(8);
  uintptr_t u = (uintptr_t)p;
  free(p);
  int *q = malloc(8);
  assert((uintptr_t)q != u);
}
