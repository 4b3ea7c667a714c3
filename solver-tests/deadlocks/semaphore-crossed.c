// Each waits for the other to post.
#include <pthread.h>
#include <semaphore.h>
sem_t s, t;
void *first(void *arg) {
  sem_wait(&s);  // blocked
  sem_post(&t);
  return 0;
}
void *second(void *arg) {
  sem_wait(&t);  // blocked
  sem_post(&s);
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);  // blocked
  pthread_join(two, 0);
  return 0;
}
