// expect: failed
// One past allocated memory may be other memory.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  char *p = malloc(32), *q = malloc(32);
  assert((uintptr_t)(p + 32) != (uintptr_t)q);
}
