// expect: bounded undefined
// A number that was kept over `free` names nothing where nothing stands.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
  *p = *q = 1;
  uintptr_t number = (uintptr_t)p;
  free(p);
  assert((uintptr_t)q != number);
  *(int *)number = 2;
  assert(*q == 1);
}
