// expect: failed
// What grows may move.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  malloc(sizeof *p);
  uintptr_t u = (uintptr_t)p;
  int *q = realloc(p, 50 * sizeof *q);
  assert((uintptr_t)q == u);
}
