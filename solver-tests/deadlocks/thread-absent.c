// A thread that was never created is none that could still go on.
#include <pthread.h>
#include <semaphore.h>
sem_t ready;
int wanted;
void *wants(void *arg) {
  wanted = 1;
  return arg;
}
void *posts(void *arg) {
  sem_post(&ready);
  return arg;
}
int main(void) {
  pthread_t one, two;
  sem_init(&ready, 0, 0);
  pthread_create(&one, 0, wants, 0);
  if (wanted)
    pthread_create(&two, 0, posts, 0);
  sem_wait(&ready);  // blocked
  return 0;
}
