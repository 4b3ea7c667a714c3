// expect: complete
// Pointers are filled with zeros from the middle of one on.
#include <assert.h>
#include <stdint.h>
#include <string.h>
static int x;
static int *a[600];
int main(void) {
  for (int i = 0; i < 3; i++)
    a[i] = &x;
  memset((char *)a + 12, 0, sizeof a - 12);
  assert(a[0] == &x && a[2] == 0);
  assert((uintptr_t)a[1] == (uint32_t)(uintptr_t)&x);
  *a[0] = 1;
  assert(x == 1);
}
