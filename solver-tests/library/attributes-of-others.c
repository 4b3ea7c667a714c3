// safe, reached
#include <pthread.h>
#include <errno.h>
#include <time.h>
int main(void) {
  int n = 9;
  clockid_t clock = 9;
  pthread_condattr_t c;
  assert(pthread_condattr_init(&c) == 0);
  assert(pthread_condattr_getclock(&c, &clock) == 0 && clock == CLOCK_REALTIME);
  assert(pthread_condattr_setclock(&c, CLOCK_MONOTONIC) == 0);
  assert(pthread_condattr_setclock(&c, 77) == EINVAL);
  assert(pthread_condattr_setpshared(&c, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_condattr_setpshared(&c, 3) == EINVAL);
  assert(pthread_condattr_getclock(&c, &clock) == 0 && clock == CLOCK_MONOTONIC);
  assert(pthread_condattr_getpshared(&c, &n) == 0 && n == PTHREAD_PROCESS_SHARED);
  assert(pthread_condattr_destroy(&c) == 0);
  pthread_rwlockattr_t l;
  assert(pthread_rwlockattr_init(&l) == 0);
  assert(pthread_rwlockattr_setkind_np(&l, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) == 0);
  assert(pthread_rwlockattr_getpshared(&l, &n) == 0 && n == PTHREAD_PROCESS_PRIVATE);
  assert(pthread_rwlockattr_setpshared(&l, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_rwlockattr_getkind_np(&l, &n) == 0 && n == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  assert(pthread_rwlockattr_getpshared(&l, &n) == 0 && n == PTHREAD_PROCESS_SHARED);
  assert(pthread_rwlockattr_destroy(&l) == 0);
  pthread_barrierattr_t b;
  assert(pthread_barrierattr_init(&b) == 0);
  assert(pthread_barrierattr_setpshared(&b, 2) == EINVAL);
  assert(pthread_barrierattr_setpshared(&b, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_barrierattr_getpshared(&b, &n) == 0 && n == PTHREAD_PROCESS_SHARED);
  assert(pthread_barrierattr_destroy(&b) == 0);
  REACHED;
}
