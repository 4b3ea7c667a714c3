// A pointer is stored at an index that is not known, and read at one that is.
#include <pthread.h>
#include <stdlib.h>
int *table[4];
extern int __VERIFIER_nondet_int(void);
void *f(void *a) {
  if (table[2])
    *table[2] = 1; // open
  return 0;
}
int main(void) {
  int x = 0, y = 0;
  pthread_t t;
  table[2] = &y;
  table[__VERIFIER_nondet_int() & 3] = &x;
  pthread_create(&t, 0, f, 0);
  x = 2; // open
  return 0;
}
