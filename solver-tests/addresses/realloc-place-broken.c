// expect: failed
// What grows may stay where it is.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  uintptr_t u = (uintptr_t)p;
  int *q = realloc(p, 50 * sizeof *q);
  assert((uintptr_t)q != u);
}
