// safe, reached
#include <pthread.h>
#include <errno.h>
pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static void *routine(void *arg) {
  assert(pthread_mutex_unlock(&m) == EPERM);
  assert(pthread_mutex_trylock(&m) == EBUSY);
  return 0;
}
int main(void) {
  pthread_t a;
  struct timespec until = {1, 0};
  assert(pthread_mutex_unlock(&m) == EPERM);
  assert(pthread_mutex_lock(&m) == 0);
  assert(pthread_mutex_lock(&m) == EDEADLK);
  assert(pthread_mutex_timedlock(&m, &until) == EDEADLK);
  assert(pthread_mutex_trylock(&m) == EBUSY);
  pthread_create(&a, 0, routine, 0);
  pthread_join(a, 0);
  assert(pthread_mutex_unlock(&m) == 0);
  assert(pthread_mutex_unlock(&m) == EPERM);
  REACHED;
}
