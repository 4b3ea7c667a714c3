// proved
// Producer and consumer with semaphores, for ever.
#include <pthread.h>
#include <semaphore.h>
sem_t empty, full;
unsigned made, used;
static void *producer(void *arg) {
  while (1) {
    sem_wait(&empty);
    made++;
    sem_post(&full);
  }
  return 0;
}
static void *consumer(void *arg) {
  while (1) {
    sem_wait(&full);
    used++;
#ifndef BROKEN
    sem_post(&empty);
#endif
  }
  return 0;
}
int main(void) {
  pthread_t t, u;
  sem_init(&empty, 0, 2);
  sem_init(&full, 0, 0);
  pthread_create(&t, 0, producer, 0);
  pthread_create(&u, 0, consumer, 0);
  pthread_exit(0);
}
