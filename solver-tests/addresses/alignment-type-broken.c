// expect: failed
// A variable of eight bytes is not aligned to sixteen.
#include <assert.h>
#include <stdint.h>
int main(void) {
  long first, second;
  assert((((uintptr_t)&first | (uintptr_t)&second) & 15) == 0);
}
