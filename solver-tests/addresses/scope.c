// expect: complete
// Variables of functions that have not returned differ.
#include <assert.h>
#include <stdint.h>
static uintptr_t depth(int more, uintptr_t outer) {
  int local;
  assert((uintptr_t)&local != outer);
  return more ? depth(more - 1, (uintptr_t)&local) : (uintptr_t)&local;
}
int main(void) {
  int local;
  assert(depth(1, (uintptr_t)&local) != (uintptr_t)&local);
}
