// expect: failed
// A variable of a block may stand where one of an earlier block stood.
#include <assert.h>
#include <stdint.h>
int main(void) {
  uintptr_t first, second;
  { int a = 1; first = (uintptr_t)&a; }
  { int b = 2; second = (uintptr_t)&b; }
  assert(first != second);
}
