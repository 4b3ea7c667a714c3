// Threads that join each other.
#include <pthread.h>
pthread_t one, two;
pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
void *first(void *arg) {
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  pthread_join(two, 0);  // blocked
  return 0;
}
void *second(void *arg) {
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  pthread_join(one, 0);  // blocked
  return 0;
}
int main(void) {
  pthread_mutex_lock(&gate);
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_mutex_unlock(&gate);
  pthread_exit(0);
}
