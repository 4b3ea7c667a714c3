// expect: failed
// A character may stand at an odd address: no bit is left for a tag.
#include <assert.h>
#include <stdint.h>
int main(void) {
  char a, b;
  assert((((uintptr_t)&a | (uintptr_t)&b) & 1) == 0);
}
