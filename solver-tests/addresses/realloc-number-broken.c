// expect: failed
// The same, taken for what was there.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  int *a = malloc(sizeof *a);
  a[0] = 3;
  uintptr_t u = (uintptr_t)a;
  int *b = realloc(a, 2 * sizeof *a);
  if ((uintptr_t)b == u) {
    *(int *)u += 1;
    assert(b[0] == 3);
  }
}
