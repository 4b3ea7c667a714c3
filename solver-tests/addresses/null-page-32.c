// expect: complete
// options: --32
// Nothing stands in the first page, and nothing ends at the last byte.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
static char global;
int main(void) {
  char *p = malloc(24);
  assert((uintptr_t)p >= 4096 && (uintptr_t)&global >= 4096);
  assert((uintptr_t)(p + 24) > (uintptr_t)p);
  assert((uintptr_t)(&global + 1) > (uintptr_t)&global);
}
