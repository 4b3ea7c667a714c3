// Main ends, and the process lives.
#include <pthread.h>
#include <semaphore.h>
sem_t s;
void *first(void *arg) {
  sem_wait(&s);  // blocked
  return 0;
}
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, first, 0);
  pthread_detach(one);
  pthread_exit(0);
}
