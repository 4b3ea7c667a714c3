// A named semaphore that is posted, and a timed wait for one that is not.
#include <pthread.h>
#include <semaphore.h>
#include <fcntl.h>
#include <time.h>
void *first(void *arg) {
  struct timespec until = {1, 0};
  sem_t *s = sem_open("/s", O_CREAT, 0600, 0), *t = sem_open("/t", O_CREAT, 0600, 0);
  sem_wait(s);
  sem_timedwait(t, &until);
  sem_wait(t);  // blocked
  return 0;
}
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, first, 0);
  sem_post(sem_open("/s", O_CREAT, 0600, 0));
  pthread_join(one, 0);  // blocked
  return 0;
}
