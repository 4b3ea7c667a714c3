// Threads that end holding a mutex keep it.
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
void *first(void *arg) {
  pthread_mutex_lock(&a);  // blocked
  return 0;
}
void *second(void *arg) {
  pthread_mutex_lock(&a);  // blocked
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);  // blocked
  pthread_join(two, 0);  // blocked
  return 0;
}
