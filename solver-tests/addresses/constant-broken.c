// expect: failed
// A constant may be the address of an object.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  *p = 3;
  if ((uintptr_t)p != 0x5550) return 0;
  *(int *)0x5550 = 4;
  assert(*p == 3);
}
