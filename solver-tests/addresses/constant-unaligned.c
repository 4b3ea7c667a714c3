// expect: complete
// A constant that is not aligned is the address of nothing allocated.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  *p = 3;
  if ((uintptr_t)p != 0x5554) return 0;
  assert(*p == 4);
}
