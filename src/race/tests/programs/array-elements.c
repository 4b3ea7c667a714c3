// Elements at indices that are not constant may be the same.
#include <pthread.h>
#include <stdlib.h>
int x[4];
extern int __VERIFIER_nondet_int(void);
void *f(void *p) {
  x[1] = 1; // open
  return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x[2] = 1;
  x[__VERIFIER_nondet_int() & 3] = 1; // open
  return 0;
}
