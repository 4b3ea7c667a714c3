// Semaphores protect nothing, for all that is known.
#include <pthread.h>
#include <stdlib.h>
#include <semaphore.h>
int x;
sem_t s;
void *f(void *a) {
  sem_wait(&s);
  x++; // open
  sem_post(&s);
  return 0;
}
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 2);
  pthread_create(&t, 0, f, 0);
  f(0);
  return 0;
}
