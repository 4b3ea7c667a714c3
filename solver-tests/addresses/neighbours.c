// expect: complete
// Members stand as their structure says.
#include <assert.h>
#include <stdint.h>
static struct { int a, b; char rest[8]; } s;
int main(void) {
  assert((uintptr_t)&s.b - (uintptr_t)&s.a == 4);
  assert((uintptr_t)s.rest - (uintptr_t)&s == 8);
  assert(&s.a < &s.b && (uintptr_t)&s.rest[1] > (uintptr_t)&s.b);
}
