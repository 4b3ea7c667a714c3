// safe, reached
#include <pthread.h>
#include <semaphore.h>
#include <errno.h>
// Every thread has its own.
sem_t s;
static void *routine(void *arg) { assert(sem_trywait(&s) == -1 && errno == EAGAIN); return 0; }
int main(void) {
  pthread_t a;
  errno = 0;
  sem_init(&s, 0, 0);
  pthread_create(&a, 0, routine, 0);
  pthread_join(a, 0);
  assert(errno == 0);
  REACHED;
}
