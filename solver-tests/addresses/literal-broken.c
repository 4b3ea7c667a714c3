// expect: failed
// Equal literals may stand at one place.
#include <assert.h>
int main(void) {
  const char *p = "ab", *q = "ab";
  assert(p != q);
}
