// safe, reached
#include <pthread.h>
#include <errno.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_spinlock_t s;
static void *routine(void *arg) {
  assert(pthread_mutex_trylock(&m) == EBUSY);
  assert(pthread_spin_trylock(&s) == EBUSY);
  REACHED;
  return 0;
}
int main(void) {
  pthread_t a;
  struct timespec until = {1, 0};
  pthread_spin_init(&s, 0);
  assert(pthread_mutex_trylock(&m) == 0);
  assert(pthread_spin_trylock(&s) == 0);
  assert(pthread_mutex_trylock(&m) == EBUSY);
  assert(pthread_mutex_timedlock(&m, &until) == ETIMEDOUT);
  assert(pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &until) == ETIMEDOUT);
  pthread_create(&a, 0, routine, 0);
  pthread_join(a, 0);
  pthread_mutex_unlock(&m);
  assert(pthread_mutex_timedlock(&m, &until) == 0);
  pthread_mutex_unlock(&m);
  assert(pthread_mutex_destroy(&m) == 0);
  pthread_spin_unlock(&s);
  assert(pthread_spin_destroy(&s) == 0);
}
