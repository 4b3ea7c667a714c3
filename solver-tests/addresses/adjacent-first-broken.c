// expect: bounded undefined
// Between one past a variable and the next one, the first use of a number decides for all uses.
#include <assert.h>
#include <stdint.h>
int main(void) {
  int a = 1, b = 2;
  uintptr_t end = (uintptr_t)&a + sizeof a, next = (uintptr_t)&b;
  if (end != next) return 0;
  int *p = (int *)end;
  p[-1] = 3;
  p[0] = 4;
  assert(b == 2);
}
