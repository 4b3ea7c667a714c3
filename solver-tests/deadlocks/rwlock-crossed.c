// Readers wait for a writer, and a writer for readers, while another thread runs for ever.
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER, k = PTHREAD_RWLOCK_INITIALIZER;
_Atomic int go;
void *first(void *arg) {
  pthread_rwlock_wrlock(&l);
  pthread_rwlock_rdlock(&k);  // blocked
  return 0;
}
void *second(void *arg) {
  for (;;)
    go++;
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&two, 0, second, 0);
  pthread_create(&one, 0, first, 0);
  pthread_rwlock_wrlock(&k);  // blocked
  pthread_rwlock_rdlock(&l);  // blocked
  return 0;
}
