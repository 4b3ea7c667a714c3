// Robust mutexes of threads that live are waited for like others.
#include <pthread.h>
pthread_mutex_t a, b;
void *first(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);  // blocked
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return 0;
}
int main(void) {
  pthread_t one;
  pthread_mutexattr_t robust;
  pthread_mutexattr_init(&robust);
  pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&a, &robust);
  pthread_mutex_init(&b, &robust);
  pthread_create(&one, 0, first, 0);
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);  // blocked
  return 0;
}
