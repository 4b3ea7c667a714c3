// expect: complete
// options: --32
// With 32 bits, a check for null may pass through an `int`.
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(4);
  int seen = (int)(long)p;
  assert(seen != 0);
  assert((int *)(long)seen == p);
  *(int *)(long)seen = 3;
  assert(*p == 3);
}
