// Each thread has a mutex of that name of its own.
#include <pthread.h>
#include <stdlib.h>
int x;
void work(pthread_mutex_t *m) {
  pthread_mutex_lock(m);
  x++; // open
  pthread_mutex_unlock(m);
}
void *f(void *a) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  work(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  return 0;
}
