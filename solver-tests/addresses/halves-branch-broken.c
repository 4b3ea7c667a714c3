// expect: bounded undefined
// A pointer of which only one branch writes a half: behind the other one it is one to an object that has ended.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  union { int *whole; uint32_t half[2]; } box;
  box.whole = malloc(sizeof *box.whole);
  if (__VERIFIER_nondet_int()) {
    uint32_t low = box.half[0];
    box.half[0] = low;
  }
  free(box.whole);
  int *fresh = malloc(sizeof *fresh);
  *fresh = 1;
  if (fresh == box.whole) assert(*box.whole == 1);
}
