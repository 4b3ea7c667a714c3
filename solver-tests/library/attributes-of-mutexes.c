// safe, reached
#include <pthread.h>
#include <errno.h>
int main(void) {
  pthread_mutexattr_t a;
  int n = 9;
  assert(pthread_mutexattr_init(&a) == 0);
  assert(pthread_mutexattr_gettype(&a, &n) == 0 && n == PTHREAD_MUTEX_DEFAULT);
  assert(pthread_mutexattr_settype(&a, 17) == EINVAL);
  assert(pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK) == 0);
  assert(pthread_mutexattr_getrobust(&a, &n) == 0 && n == PTHREAD_MUTEX_STALLED);
  assert(pthread_mutexattr_setrobust(&a, 2) == EINVAL);
  assert(pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST) == 0);
  assert(pthread_mutexattr_setpshared(&a, 2) == EINVAL);
  assert(pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_mutexattr_setprotocol(&a, 3) == EINVAL);
  assert(pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_PROTECT) == 0);
  assert(pthread_mutexattr_setprioceiling(&a, 0) == EINVAL);
  assert(pthread_mutexattr_setprioceiling(&a, 30) == 0);
  assert(pthread_mutexattr_gettype(&a, &n) == 0 && n == PTHREAD_MUTEX_ERRORCHECK);
  assert(pthread_mutexattr_getrobust(&a, &n) == 0 && n == PTHREAD_MUTEX_ROBUST);
  assert(pthread_mutexattr_getpshared(&a, &n) == 0 && n == PTHREAD_PROCESS_SHARED);
  assert(pthread_mutexattr_getprotocol(&a, &n) == 0 && n == PTHREAD_PRIO_PROTECT);
  assert(pthread_mutexattr_getprioceiling(&a, &n) == 0 && n == 30);
  assert(pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE) == 0);
  assert(pthread_mutexattr_gettype(&a, &n) == 0 && n == PTHREAD_MUTEX_RECURSIVE);
  assert(pthread_mutexattr_setkind_np(&a, PTHREAD_MUTEX_NORMAL) == 0);
  assert(pthread_mutexattr_getkind_np(&a, &n) == 0 && n == PTHREAD_MUTEX_NORMAL);
  assert(pthread_mutexattr_setrobust_np(&a, PTHREAD_MUTEX_STALLED) == 0);
  assert(pthread_mutexattr_getrobust_np(&a, &n) == 0 && n == PTHREAD_MUTEX_STALLED);
  assert(pthread_mutexattr_destroy(&a) == 0);
  REACHED;
}
