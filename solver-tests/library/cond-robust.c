// safe, reached
#include <pthread.h>
// Waiting takes the mutex from an owner that has ended, and says so.
#include <errno.h>
pthread_mutex_t m;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *routine(void *arg) { pthread_mutex_lock(&m); return 0; }
int main(void) {
  pthread_t a;
  pthread_mutexattr_t robust;
  pthread_mutexattr_init(&robust);
  pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &robust);
  pthread_mutex_lock(&m);
  pthread_create(&a, 0, routine, 0);
  int status = pthread_cond_wait(&c, &m);
  assert(status == 0 || status == EOWNERDEAD);
  if (status == EOWNERDEAD) REACHED;
}
