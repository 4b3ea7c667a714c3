// expect: failed
// An address passes through an `int` and need not be 0 then.
#include <assert.h>
#include <stdlib.h>
static void assume(int condition) {
  if (!condition) abort();
}
int main(void) {
  int *p = malloc(4), local;
  assume((long)p);
  assume((int)(long)&local);
  assert(0);
}
