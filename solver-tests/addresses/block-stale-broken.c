// expect: bounded undefined
// The copies of pointers of a large array end with their object, whatever comes to its place.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static int *from[600], *to[600];
int main(void) {
  int *p = malloc(sizeof *p);
  from[500] = p;
  memcpy(to, from, sizeof to);
  free(p);
  int *q = malloc(sizeof *q);
  *q = 1;
  if ((uintptr_t)to[500] == (uintptr_t)q)
    *to[500] = 2;
  assert(*q == 1);
}
