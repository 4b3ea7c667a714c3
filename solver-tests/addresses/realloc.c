// expect: complete
// What grows keeps its values, and stands apart from what is alive.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p), *other = malloc(sizeof *other);
  *p = 3;
  int *q = realloc(p, 4 * sizeof *q);
  q[3] = 4;
  assert(q[0] == 3);
  assert((uintptr_t)q != (uintptr_t)other && (uintptr_t)(q + 3) != (uintptr_t)other);
}
