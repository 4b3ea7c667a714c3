// expect: failed
// One past an object may be the next one.
#include <assert.h>
int main(void) {
  int a, b, *end = &a + 1, *next = &b;
  assert(end != next);
}
