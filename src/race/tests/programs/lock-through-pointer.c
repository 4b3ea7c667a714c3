// A pointer to one of two mutexes is no lock of which anything is known.
#include <pthread.h>
#include <stdlib.h>
int x;
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void *f(void *a) {
  pthread_mutex_t *l = __VERIFIER_nondet_int() ? &m : &n;
  pthread_mutex_lock(l);
  x++; // open
  pthread_mutex_unlock(l);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  return 0;
}
