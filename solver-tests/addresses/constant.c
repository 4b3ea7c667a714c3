// expect: complete
// A constant that is the address of an object leads there.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  if ((uintptr_t)p != 0x5550) return 0;
  *(int *)0x5550 = 4;
  assert(*p == 4);
}
