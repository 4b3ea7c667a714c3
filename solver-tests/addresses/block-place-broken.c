// expect: failed
// The number may lead to what came to the same place.
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
  free(to);
  int *other = calloc(1200, sizeof(int));
  if ((uintptr_t)other == (hidden ^ key)) {
    memcpy((int *)(hidden ^ key), from, sizeof from);
    assert(other[1100] != 5);
  }
}
