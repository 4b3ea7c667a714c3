// unsafe
#include <pthread.h>
#include <errno.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int data, ready;
static void *send(void *arg) {
  assert(pthread_mutex_lock(&m) == 0);
  data = 1;
  data = 2;
  ready = 1;
  assert(pthread_cond_signal(&c) == 0);
  assert(pthread_cond_broadcast(&c) == 0);
  assert(pthread_mutex_unlock(&m) == 0);
  return 0;
}
int main(void) {
  struct timespec until = {1, 0};
  pthread_mutex_lock(&m);
  assert(pthread_cond_timedwait(&c, &m, &until) == ETIMEDOUT);
}
