// expect: complete
// A large block is copied to where a number leads.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static int from[1200];
int main(void) {
  from[1100] = 5;
  uintptr_t key = 0x123456789;
  int *to = malloc(sizeof from);
  uintptr_t hidden = (uintptr_t)to ^ key;
  memcpy((int *)(hidden ^ key), from, sizeof from);
  assert(to[1100] == 5);
}
