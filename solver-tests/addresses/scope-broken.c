// expect: failed
// A variable of a function may stand where one of an earlier call stood.
#include <assert.h>
#include <stdint.h>
static uintptr_t place(void) {
  int local;
  return (uintptr_t)&local;
}
int main(void) {
  uintptr_t first = place();
  assert(first != place());
}
