// expect: complete
// Memory that comes back from `calloc` is 0.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  *p = 3;
  uintptr_t u = (uintptr_t)p;
  free(p);
  int *q = calloc(1, sizeof *q);
  assert(*q == 0);
  if ((uintptr_t)q == u) assert(*(int *)u == 0);
}
