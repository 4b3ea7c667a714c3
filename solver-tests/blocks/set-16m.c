// safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>
static char global[16 << 20];
int main(void) {
  size_t size = (16 << 20) - 1;
  char *p = malloc((16 << 20) - 1);
  memset(p, 7, (16 << 20) - 1);
  memset(global, 3, sizeof global);
  p[5] = 1;
  assert(p[4] == 7 && p[5] == 1 && p[size - 1] == 7 && global[size] == 3);
  assert(*(int *)(p + 4) == 0x07070107);
  free(p);
}
