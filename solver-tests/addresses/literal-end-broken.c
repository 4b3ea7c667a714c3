// expect: failed
// A literal may be the end of another.
#include <assert.h>
#include <stdint.h>
int main(void) {
  const char *p = "xab", *q = "ab";
  assert((uintptr_t)(p + 1) != (uintptr_t)q);
}
