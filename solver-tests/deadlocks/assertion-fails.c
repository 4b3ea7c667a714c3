// Who fails an assertion ends the process, and leaves nobody blocked for ever; who comes too early is blocked.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
int x;
sem_t ready;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *checks(void *arg) {
  pthread_mutex_lock(&m);
  int seen = x;
  pthread_mutex_unlock(&m);
  assert(seen == 0);
  sem_wait(&ready);  // blocked
  return 0;
}
void *sets(void *arg) {
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t one, two;
  sem_init(&ready, 0, 0);
  pthread_create(&one, 0, checks, 0);
  pthread_create(&two, 0, sets, 0);
  pthread_join(two, 0);
  pthread_join(one, 0);  // blocked
  return 0;
}
