// safe, reached
#include <pthread.h>
#include <errno.h>
pthread_rwlock_t l;
static void *routine(void *arg) {
  struct timespec until = {1, 0};
  if (arg) {
    assert(pthread_rwlock_tryrdlock(&l) == EBUSY);
    assert(pthread_rwlock_trywrlock(&l) == EBUSY);
    assert(pthread_rwlock_timedrdlock(&l, &until) == ETIMEDOUT);
    assert(pthread_rwlock_timedwrlock(&l, &until) == ETIMEDOUT);
    assert(pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &until) == ETIMEDOUT);
    assert(pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &until) == ETIMEDOUT);
  } else {
    assert(pthread_rwlock_tryrdlock(&l) == 0);
    assert(pthread_rwlock_timedrdlock(&l, &until) == 0);
    assert(pthread_rwlock_trywrlock(&l) == EBUSY);
    assert(pthread_rwlock_unlock(&l) == 0);
    assert(pthread_rwlock_unlock(&l) == 0);
  }
  return 0;
}
int main(void) {
  pthread_t a;
  struct timespec until = {1, 0};
  assert(pthread_rwlock_init(&l, 0) == 0);
  assert(pthread_rwlock_trywrlock(&l) == 0);
  assert(pthread_rwlock_wrlock(&l) == EDEADLK);
  assert(pthread_rwlock_rdlock(&l) == EDEADLK);
  assert(pthread_rwlock_tryrdlock(&l) == EBUSY);
  pthread_create(&a, 0, routine, (void *)1);
  pthread_join(a, 0);
  assert(pthread_rwlock_unlock(&l) == 0);
  assert(pthread_rwlock_rdlock(&l) == 0);
  pthread_create(&a, 0, routine, 0);
  pthread_join(a, 0);
  assert(pthread_rwlock_trywrlock(&l) == EBUSY);
  assert(pthread_rwlock_unlock(&l) == 0);
  assert(pthread_rwlock_timedwrlock(&l, &until) == 0);
  assert(pthread_rwlock_unlock(&l) == 0);
  assert(pthread_rwlock_destroy(&l) == 0);
  REACHED;
}
