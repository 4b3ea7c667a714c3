// expect: failed
// Memory comes back after `free`, as a pointer.
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(8);
  free(p);
  int *q = malloc(8);
  assert(q != p);
}
