// expect: bounded undefined
// names: use after free
// An object is looked at as a number, and used after its end: nothing else is there.
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  int *old = malloc(sizeof *old);
  int *other = malloc(sizeof *other);
  if ((uintptr_t)old > (uintptr_t)other) return 0;
  free(old);
  *old = 1;
}
