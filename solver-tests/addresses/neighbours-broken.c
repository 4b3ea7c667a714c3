// expect: failed
// Two allocations need not stand side by side.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  uintptr_t p = (uintptr_t)malloc(16), q = (uintptr_t)malloc(16);
  assert(q - p == 16 || q - p == 32);
}
