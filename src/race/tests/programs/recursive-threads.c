// A thread that creates its like.
#include <pthread.h>
#include <stdlib.h>
int x;
extern int __VERIFIER_nondet_int(void);
void *f(void *a) {
  pthread_t t;
  x++; // open
  if (__VERIFIER_nondet_int())
    pthread_create(&t, 0, f, 0);
  return 0;
}
int main(void) {
  pthread_t t;
  x = 1;
  pthread_create(&t, 0, f, 0);
  return 0;
}
