// safe, reached
#include <pthread.h>
#include <errno.h>
pthread_mutex_t m;
static void *routine(void *arg) {
  assert(pthread_mutex_trylock(&m) == EBUSY);
  assert(pthread_mutex_unlock(&m) == EPERM);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_mutexattr_t kind;
  struct timespec until = {1, 0};
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &kind);
  assert(pthread_mutex_lock(&m) == 0);
  assert(pthread_mutex_lock(&m) == 0);
  assert(pthread_mutex_trylock(&m) == 0);
  assert(pthread_mutex_timedlock(&m, &until) == 0);
  for (int i = 0; i < 3; i++)
    assert(pthread_mutex_unlock(&m) == 0);
  pthread_create(&a, 0, routine, 0);
  pthread_join(a, 0);
  assert(pthread_mutex_unlock(&m) == 0);
  assert(pthread_mutex_unlock(&m) == EPERM);
  REACHED;
}
