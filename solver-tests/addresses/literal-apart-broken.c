// expect: failed
// Equal literals may stand at different places.
#include <assert.h>
#include <stdint.h>
int main(void) {
  const char *p = "ab", *q = "ab";
  assert((uintptr_t)p == (uintptr_t)q);
}
