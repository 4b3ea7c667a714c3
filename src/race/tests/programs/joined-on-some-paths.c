// A thread that is joined on some paths only is not joined.
#include <pthread.h>
#include <stdlib.h>
int x;
extern int __VERIFIER_nondet_int(void);
void *f(void *a) {
  x = 2; // open
  return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  if (__VERIFIER_nondet_int())
    pthread_join(t, 0);
  x = 1; // open
  return 0;
}
