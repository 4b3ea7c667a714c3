// A thread that is cancelled keeps its mutex.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *first(void *arg) {
  pthread_mutex_lock(&m);
  pthread_testcancel();
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, first, 0);
  pthread_cancel(one);
  pthread_join(one, 0);
  pthread_mutex_lock(&m);  // blocked
  return 0;
}
