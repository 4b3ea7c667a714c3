// safe
#include <assert.h>
#include <string.h>
char a[10000];
int main(void) {
  a[0] = 1;
  a[1] = 2;
  a[4999] = 3;
  memmove(a + 1, a, 5000);
  assert(a[0] == 1 && a[1] == 1 && a[2] == 2 && a[5000] == 3 && a[4999] == 0);
  memmove(a, a + 1, 5000);
  assert(a[0] == 1 && a[1] == 2 && a[4999] == 3);
}
