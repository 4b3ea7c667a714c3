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
// Waiters may wake for nothing.
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, send, 0);
  pthread_mutex_lock(&m);
  if (!ready)
    pthread_cond_wait(&c, &m);
  assert(data == 2);
}
