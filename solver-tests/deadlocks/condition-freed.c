// A condition may be freed as soon as its waiter was woken.
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t *c;
int ready;
void *first(void *arg) {
  pthread_mutex_lock(&m);
  if (!ready)
    pthread_cond_wait(c, &m);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t one;
  c = malloc(sizeof *c);
  pthread_cond_init(c, 0);
  pthread_create(&one, 0, first, 0);
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(c);
  pthread_cond_destroy(c);
  pthread_mutex_unlock(&m);
  pthread_join(one, 0);
  return 0;
}
