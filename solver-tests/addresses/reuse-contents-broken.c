// expect: failed
// Memory that comes back from `malloc` need not hold what it held.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  *p = 3;
  uintptr_t u = (uintptr_t)p;
  free(p);
  int *q = malloc(sizeof *q);
  if ((uintptr_t)q == u) assert(*q == 3);
}
