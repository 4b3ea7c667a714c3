// expect: failed
// Addresses have 47 bits and not 46.
#include <assert.h>
#include <stdint.h>
int main(void) {
  int local;
  assert((uintptr_t)&local < 1ul << 46);
}
