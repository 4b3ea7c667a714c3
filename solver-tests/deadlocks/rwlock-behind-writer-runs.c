// The same beside a thread that runs for ever. Options: --rwlock any
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
_Atomic int go;
void *first(void *arg) {
  pthread_rwlock_wrlock(&l);  // blocked
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
  pthread_rwlock_rdlock(&l);
  pthread_create(&one, 0, first, 0);
  pthread_rwlock_rdlock(&l);  // blocked
  pthread_rwlock_unlock(&l);
  pthread_rwlock_unlock(&l);
  for (;;)
    go++;
}
