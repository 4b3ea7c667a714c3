// A barrier for more than come.
#include <pthread.h>
pthread_barrier_t b;
void *first(void *arg) {
  pthread_barrier_wait(&b);  // blocked
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_barrier_init(&b, 0, 3);
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, first, 0);
  pthread_join(one, 0);  // blocked
  pthread_join(two, 0);
  return 0;
}
