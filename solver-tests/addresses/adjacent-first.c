// expect: complete
// Between one past a variable and the next one, the first use of a number decides: it was the first variable.
#include <assert.h>
#include <stdint.h>
int main(void) {
  int a = 1, b = 2;
  uintptr_t end = (uintptr_t)&a + sizeof a, next = (uintptr_t)&b;
  if (end != next) return 0;
  int *p = (int *)end;
  p[-1] = 3;
  assert(a == 3 && b == 2 && p == &b);
}
