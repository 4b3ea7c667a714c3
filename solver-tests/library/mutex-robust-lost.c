// safe, reached
#include <pthread.h>
#include <errno.h>
pthread_mutex_t m;
static void *routine(void *arg) { pthread_mutex_lock(&m); return 0; }
static void start(void) {
  pthread_mutexattr_t robust;
  pthread_mutexattr_init(&robust);
  pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &robust);
}
int main(void) {
  pthread_t a;
  start();
  pthread_create(&a, 0, routine, 0);
  pthread_join(a, 0);
  assert(pthread_mutex_trylock(&m) == EOWNERDEAD);
  assert(pthread_mutex_unlock(&m) == 0);
  assert(pthread_mutex_lock(&m) == ENOTRECOVERABLE);
  assert(pthread_mutex_trylock(&m) == ENOTRECOVERABLE);
  REACHED;
}
