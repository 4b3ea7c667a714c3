// Readers run beside each other, a writer alone.
// says x: both hold l
#include <pthread.h>
#include <stdlib.h>
int x, y;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
void *f(void *a) {
  pthread_rwlock_rdlock(&l);
  y = x; // open
  pthread_rwlock_unlock(&l);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  pthread_rwlock_wrlock(&l);
  x = 1;
  pthread_rwlock_unlock(&l);
  return 0;
}
