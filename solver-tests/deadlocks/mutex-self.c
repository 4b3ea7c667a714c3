// A normal mutex waits for its own thread; recursive and error-checking ones do not.
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, e = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
void *first(void *arg) {
  pthread_mutex_lock(&r);
  pthread_mutex_lock(&r);
  pthread_mutex_unlock(&r);
  pthread_mutex_unlock(&r);
  pthread_mutex_lock(&e);
  pthread_mutex_lock(&e);
  pthread_mutex_unlock(&e);
  return 0;
}
void *second(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&a);  // blocked
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);  // blocked
  return 0;
}
