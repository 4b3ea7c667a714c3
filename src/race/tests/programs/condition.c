// Waiting releases the mutex, which is held behind it.
// says x: both hold m
#include <pthread.h>
#include <stdlib.h>
int x, ready;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *f(void *a) {
  pthread_mutex_lock(&m);
  while (!ready)
    pthread_cond_wait(&c, &m);
  x++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  ready = 1;
  x++;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return 0;
}
