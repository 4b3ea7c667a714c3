// expect: complete
// Objects are aligned as their types are.
#include <assert.h>
#include <stdint.h>
struct record { char tag; double value; } record;
static int number;
int main(void) {
  long local;
  short array[3];
  assert(((uintptr_t)&number & 3) == 0);
  assert(((uintptr_t)&record & 7) == 0);
  assert(((uintptr_t)&record.value & 7) == 0);
  assert(((uintptr_t)&local & 7) == 0);
  assert(((uintptr_t)&array[1] & 1) == 0);
}
