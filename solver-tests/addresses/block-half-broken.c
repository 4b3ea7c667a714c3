// expect: failed
// The other half of the pointer is that of another one, which may be the same.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
static int *from[600], *to[600];
int main(void) {
  int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
  from[599] = p;
  to[599] = q;
  memcpy(to, from, sizeof to - 4);
  assert(to[599] != p);
}
