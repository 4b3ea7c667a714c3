// A thread is joined by one that holds what it needs.
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
void *first(void *arg) {
  pthread_mutex_lock(&a);  // blocked
  pthread_mutex_unlock(&a);
  return 0;
}
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, first, 0);
  pthread_mutex_lock(&a);
  pthread_join(one, 0);  // blocked
  return 0;
}
