// expect: failed
// With 64 bits, the low 32 may all be 0.
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(4);
  int seen = (int)(long)p;
  assert(!!p && (_Bool)(long)p);
  assert(seen != 0);
}
