// A robust mutex is not kept by a thread that has ended, whoever has had it meanwhile.
#include <pthread.h>
pthread_mutex_t a;
void *first(void *arg) {
  pthread_mutex_lock(&a);
  return 0;
}
void *second(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_consistent(&a);
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_mutexattr_t robust;
  pthread_mutexattr_init(&robust);
  pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&a, &robust);
  pthread_create(&one, 0, first, 0);
  pthread_join(one, 0);
  pthread_create(&two, 0, second, 0);
  pthread_mutex_lock(&a);
  pthread_mutex_consistent(&a);
  pthread_mutex_unlock(&a);
  pthread_join(two, 0);
  return 0;
}
