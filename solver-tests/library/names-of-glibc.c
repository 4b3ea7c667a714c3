// safe, reached
#include <pthread.h>
// The names behind which the GNU C library hides its own calls.
extern int __pthread_mutex_lock(pthread_mutex_t *);
extern int __pthread_mutex_unlock(pthread_mutex_t *);
extern int __pthread_rwlock_wrlock(pthread_rwlock_t *);
pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int main(void) {
  assert(__pthread_mutex_lock(&m) == 0);
  assert(__pthread_mutex_lock(&m) == 35);
  assert(__pthread_mutex_unlock(&m) == 0);
  assert(__pthread_rwlock_wrlock(&l) == 0);
  assert(pthread_rwlock_tryrdlock(&l) == 16);
  REACHED;
}
