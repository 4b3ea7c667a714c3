// unsafe
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *p = malloc((16 << 20) - 1);
  memset(p, 7, (16 << 20) - 2);
  assert(p[(16 << 20) - 2] == 7);
}
