// expect: complete
// A large block ends within a pointer; the rest of it follows.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
static int *from[600], *to[600];
int main(void) {
  int *p = malloc(sizeof *p);
  from[599] = p;
  memcpy(to, from, sizeof to - 4);
  memcpy((char *)to + sizeof to - 4, (char *)from + sizeof to - 4, 4);
  *to[599] = 5;
  assert(*p == 5 && to[599] == p);
}
