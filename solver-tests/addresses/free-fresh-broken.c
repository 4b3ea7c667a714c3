// expect: failed
// Memory need not come back after `free`.
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(8);
  free(p);
  int *q = malloc(8);
  assert(q == p);
}
