// safe, reached
#include <pthread.h>
#include <semaphore.h>
#include <errno.h>
#include <limits.h>
sem_t s;
int x;
static void *routine(void *arg) { x = 1; assert(sem_post(&s) == 0); return 0; }
int main(void) {
  pthread_t a;
  int n = 9;
  struct timespec until = {1, 0};
  errno = 0;
  assert(sem_init(&s, 0, (unsigned)SEM_VALUE_MAX + 1) == -1 && errno == EINVAL);
  assert(sem_init(&s, 0, 0) == 0);
  assert(sem_trywait(&s) == -1 && errno == EAGAIN);
  assert(sem_timedwait(&s, &until) == -1 && errno == ETIMEDOUT);
  errno = 0;
  assert(sem_clockwait(&s, CLOCK_MONOTONIC, &until) == -1 && errno == ETIMEDOUT);
  pthread_create(&a, 0, routine, 0);
  assert(sem_wait(&s) == 0);
  assert(x == 1);
  assert(sem_getvalue(&s, &n) == 0 && n == 0);
  sem_post(&s);
  sem_post(&s);
  assert(sem_getvalue(&s, &n) == 0 && n == 2);
  assert(sem_trywait(&s) == 0 && sem_timedwait(&s, &until) == 0);
  assert(sem_trywait(&s) == -1);
  assert(sem_destroy(&s) == 0);
  REACHED;
}
