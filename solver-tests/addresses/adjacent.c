// expect: complete
// One past a variable may be the next one, and leads there if that was made a number.
#include <assert.h>
#include <stdint.h>
int main(void) {
  int a = 1, b = 2;
  uintptr_t end = (uintptr_t)&a + sizeof a, next = (uintptr_t)&b;
  if (end != next) return 0;
  *(int *)end = 3;
  assert(a == 1 && b == 3);
}
