// undefined
#include <assert.h>
#include <string.h>
char a[10000];
int main(void) {
  memcpy(a + 1, a, 5000);
  assert(0);
}
