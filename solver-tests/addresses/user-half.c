// expect: complete
// Addresses have 47 bits, up to the end of an object and as signed numbers.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  char *p = malloc(64);
  int local;
  assert((uintptr_t)p < 1ul << 47);
  assert((uintptr_t)(p + 64) < 1ul << 47);
  assert((uintptr_t)&local < 1ul << 47);
  assert((intptr_t)p > 0);
}
