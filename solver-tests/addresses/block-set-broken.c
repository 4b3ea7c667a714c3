// expect: failed
// The half of a pointer that is left is not zero.
#include <assert.h>
#include <stdint.h>
#include <string.h>
static int x;
static int *a[600];
int main(void) {
  for (int i = 0; i < 3; i++)
    a[i] = &x;
  memset((char *)a + 12, 0, sizeof a - 12);
  assert(a[1] == 0);
}
