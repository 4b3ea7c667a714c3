// expect: failed
// New memory may begin inside of what was freed.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  char *p = malloc(64);
  uintptr_t u = (uintptr_t)p;
  free(p);
  uintptr_t v = (uintptr_t)malloc(16);
  assert(v <= u || v >= u + 64);
}
