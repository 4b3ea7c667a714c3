// expect: bounded undefined
// A pointer to what has grown is to nothing, even if it stayed where it was.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
static int x;
int main(void) {
  int **a = malloc(sizeof *a), **b;
  a[0] = &x;
  uintptr_t u = (uintptr_t)a;
  b = realloc(a, 2 * sizeof *a);
  if ((uintptr_t)b == u)
    *a[0] = 1;
  assert(x == 0);
}
