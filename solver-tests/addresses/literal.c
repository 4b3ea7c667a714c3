// expect: complete
// A literal stands apart from variables, and from literals with other characters.
#include <assert.h>
#include <stdint.h>
#include <string.h>
static char array[] = "ab";
int main(void) {
  const char *p = "ab", *q = "cd";
  assert((uintptr_t)p != (uintptr_t)array && (uintptr_t)p + 1 != (uintptr_t)array);
  assert((uintptr_t)p != (uintptr_t)q);
  assert(strcmp(p, array) == 0);
}
