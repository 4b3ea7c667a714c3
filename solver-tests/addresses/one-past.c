// expect: complete
// No byte of an object is one of another.
#include <assert.h>
#include <stdint.h>
int main(void) {
  int a, b;
  assert((char *)&a + 3 != (char *)&b);
  assert((uintptr_t)&a + 3 != (uintptr_t)&b);
  assert((uintptr_t)&a != (uintptr_t)&b + 3);
}
