// deadlock
// Main waits for a thread that it may not have created.
#include <pthread.h>
#include <semaphore.h>
extern int __VERIFIER_nondet_int(void);
sem_t posted;
static void *poster(void *arg) {
  sem_post(&posted);
  return 0;
}
int main(void) {
  pthread_t t;
  sem_init(&posted, 0, 0);
  if (__VERIFIER_nondet_int())
    pthread_create(&t, 0, poster, 0);
  sem_wait(&posted);
  return 0;
}
