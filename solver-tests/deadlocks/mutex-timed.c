// A timed lock and a try give up, and an unlock in between lets both go on.
#include <pthread.h>
#include <time.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *first(void *arg) {
  struct timespec until = {1, 0};
  pthread_mutex_lock(&a);
  if (pthread_mutex_timedlock(&b, &until) == 0)
    pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return 0;
}
void *second(void *arg) {
  pthread_mutex_lock(&b);
  if (pthread_mutex_trylock(&a) == 0)
    pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
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
