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
// As long as the owner lives, it is a mutex like any other.
int x;
static void *holder(void *arg) {
  int status = pthread_mutex_lock(&m);
  assert(status == 0);
  x = 1;
  x = 2;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a;
  start();
  pthread_create(&a, 0, holder, 0);
  assert(pthread_mutex_lock(&m) == 0);
  assert(x != 1);
  if (x == 2) REACHED;
}
