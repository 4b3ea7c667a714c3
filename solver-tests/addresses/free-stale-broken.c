// expect: bounded undefined
// A pointer that was freed is freed again, with something new in its place.
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(8);
  free(p);
  int *q = malloc(8);
  *q = 1;
  if (q == p) free(p);
  assert(*q == 1);
}
