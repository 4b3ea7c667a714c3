// A timed wait ends by itself.
#include <pthread.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
void *first(void *arg) {
  pthread_mutex_lock(&m);
  struct timespec until = {1, 0};
  if (!ready)
    pthread_cond_timedwait(&c, &m, &until);
  pthread_mutex_unlock(&m);
  return 0;
}
void *second(void *arg) {
  return 0;
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
