// expect: bounded undefined
// A pointer one past a variable equals a pointer to the next one and does not lead there.
#include <assert.h>
int main(void) {
  int a = 1, b = 2;
  int *end = &a + 1, *next = &b;
  if (end != next) return 0;
  *end = 3;
  assert(b == 2);
}
