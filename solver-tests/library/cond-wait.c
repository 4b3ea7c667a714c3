// safe, reached
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
// The mutex is free while one waits and held again after it.
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, send, 0);
  pthread_mutex_lock(&m);
  assert(data != 1);
  while (!ready)
    assert(pthread_cond_wait(&c, &m) == 0);
  assert(data == 2);
  assert(pthread_mutex_trylock(&m) == EBUSY);
  pthread_mutex_unlock(&m);
  assert(pthread_cond_destroy(&c) == 0);
  REACHED;
}
