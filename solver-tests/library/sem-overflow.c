// safe, reached
#include <pthread.h>
#include <semaphore.h>
#include <errno.h>
sem_t s;
int main(void) {
  sem_init(&s, 0, SEM_VALUE_MAX);
  assert(sem_post(&s) == -1 && errno == EOVERFLOW);
  REACHED;
}
