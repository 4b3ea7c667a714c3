// Who does not listen to a cancellation waits on.
#include <pthread.h>
#include <semaphore.h>
sem_t s;
void *first(void *arg) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
  sem_wait(&s);  // blocked
  return 0;
}
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, first, 0);
  pthread_cancel(one);
  pthread_join(one, 0);  // blocked
  return 0;
}
