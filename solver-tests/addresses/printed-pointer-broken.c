// expect: bounded undefined
// A guess leads nowhere if nobody has made the object's address known.
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p), *guess = (int *)0x5550;
  *p = 3;
  if (p != guess) return 0;
  *guess = 4;
  assert(*p == 3);
}
