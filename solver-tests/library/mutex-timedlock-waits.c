// unsafe
#include <pthread.h>
// It gets the mutex from who holds it only a while, but need not.
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
static void *routine(void *arg) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t a;
  struct timespec until = {1, 0};
  pthread_create(&a, 0, routine, 0);
  __VERIFIER_assume(x == 1);
  assert(pthread_mutex_timedlock(&m, &until) == 0);
}
