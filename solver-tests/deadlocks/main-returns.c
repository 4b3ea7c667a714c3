// The process ends, and with it those who wait.
#include <pthread.h>
#include <semaphore.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
sem_t s;
void *first(void *arg) {
  sem_wait(&s);
  return 0;
}
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, first, 0);
  return 0;
}
