// expect: failed
// An arena with just the bytes that are asked for has no room for rounding.
#include <assert.h>
#include <stdint.h>
static char buffer[33];
int main(void) {
  uintptr_t p = ((uintptr_t)(buffer + 1) + 15) & ~(uintptr_t)15;
  assert(p + 32 <= (uintptr_t)buffer + sizeof buffer);
}
