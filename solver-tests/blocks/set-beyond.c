// undefined
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *p = malloc(5000);
  memset(p, 7, 5001);
  assert(0);
}
