// expect: bounded undefined
// names: stale pointer
// An object is freed twice; where it was, another one lives the second time.
#include <stdlib.h>
int main(void) {
  int *old = malloc(sizeof *old);
  free(old);
  int *fresh = malloc(sizeof *fresh);
  if (old == fresh) free(old);
}
