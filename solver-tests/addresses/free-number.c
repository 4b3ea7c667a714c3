// expect: complete
// Memory that is still there does not come back.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(8);
  uintptr_t u = (uintptr_t)p;
  int *q = malloc(8);
  free(p);
  assert((uintptr_t)q != u);
  assert((uintptr_t)q > u + 7 || (uintptr_t)q + 7 < u);
}
