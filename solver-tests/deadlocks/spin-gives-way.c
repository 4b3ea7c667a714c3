// A loop that holds a lock where it begins, and gives it back for a while, lets those in who end it.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int ready;
void *waits(void *arg) {
  pthread_mutex_lock(&m);
  while (!ready) {
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
  }
  pthread_mutex_unlock(&m);
  return arg;
}
void *sets(void *arg) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, waits, 0);
  pthread_create(&two, 0, sets, 0);
  pthread_join(two, 0);
  pthread_join(one, 0);
  return 0;
}
