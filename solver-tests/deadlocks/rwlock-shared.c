// Readers do not wait for readers, in whatever order they come.
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER, k = PTHREAD_RWLOCK_INITIALIZER;
void *first(void *arg) {
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_rdlock(&k);
  pthread_rwlock_unlock(&k);
  pthread_rwlock_unlock(&l);
  return 0;
}
void *second(void *arg) {
  pthread_rwlock_rdlock(&k);
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_unlock(&l);
  pthread_rwlock_unlock(&k);
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
