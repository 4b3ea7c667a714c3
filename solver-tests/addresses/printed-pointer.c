// expect: complete
// An address that was printed can be read from a screen and typed in.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p), *typed = (int *)0x5550;
  *p = 3;
  printf("%p\n", (void *)p);
  if (p != typed) return 0;
  *typed = 4;
  assert(*p == 4);
}
