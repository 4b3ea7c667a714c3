// A reader that wants to write waits for itself.
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int main(void) {
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_wrlock(&l);  // blocked
  return 0;
}
