// Who releases a mutex that another thread holds goes no further, so that its owner keeps it.
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
void *first(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  return 0;
}
void *second(void *arg) {
  pthread_mutex_unlock(&a);
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
