// unsafe
#include <string.h>
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct big { int n; int data[1 << 20]; } a, b, c;
int main() {
  int i = __VERIFIER_nondet_int();
  int *p = malloc(1 << 23);
  memset(p, 7, 1 << 23);
  p[5] = 1; p[i & 1023] = 2;
  int j = __VERIFIER_nondet_int() & 65535;
  if (j != (i & 1023) && j != 5) assert(p[j] == 0x07070707);
  if (i & 1) memset((char *)p + 2, 9, 1 << 20); 
  assert(i & 1 ? *(char *)p == 7 || (i & 1023) == 0 : 1);
  if (i == 3) assert(p[0] == 0x09090707 && p[1] == 0x09090909);
  a.data[9] = 4; b.data[9] = 1;
  if (i & 2) c = a; else c = b;
  a.data[9] = 8;
  assert(c.data[9] == (i & 2 ? 4 : 1) && c.n == 0);
  memmove(&c.data[1], &c.data[0], 1 << 21);
  assert(c.data[10] == (i & 2 ? 4 : 1));
  assert(c.data[9] != 0);
}
