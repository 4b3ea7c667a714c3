// expect: failed
// A whole page of allocated memory need not stand at a page's start.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  assert(((uintptr_t)malloc(4096) & 4095) == 0);
}
