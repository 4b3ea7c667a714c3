// Two mutexes in two orders: both threads and whoever joins them wait for ever.
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *first(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);  // blocked
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return 0;
}
void *second(void *arg) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);  // blocked
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);  // blocked
  pthread_join(two, 0);
  return 0;
}
