// expect: complete
// Equal literals have equal characters wherever they stand.
#include <assert.h>
#include <string.h>
int main(void) {
  const char *p = "ab", *q = "ab";
  assert(strcmp(p, q) == 0);
  if (p == q) assert(p + 1 == q + 1);
}
