// safe, reached
#include <pthread.h>
#include <semaphore.h>
#include <errno.h>
#include <fcntl.h>
int x;
static void *routine(void *arg) {
  sem_t *mine = sem_open("/gate", 0);
  assert(mine != SEM_FAILED);
  x = 1;
  sem_post(mine);
  assert(sem_close(mine) == 0);
  return 0;
}
int main(void) {
  pthread_t a;
  assert(sem_open("/gate", 0) == SEM_FAILED && errno == ENOENT);
  assert(sem_unlink("/gate") == -1 && errno == ENOENT);
  sem_t *gate = sem_open("/gate", O_CREAT, 0600, 0);
  assert(gate != SEM_FAILED);
  assert(sem_open("/gate", O_CREAT | O_EXCL, 0600, 0) == SEM_FAILED && errno == EEXIST);
  assert(sem_open("/gate", O_CREAT, 0600, 5) == gate);
  assert(sem_open("/other", O_CREAT, 0600, 1) != gate);
  pthread_create(&a, 0, routine, 0);
  assert(sem_wait(gate) == 0);
  assert(x == 1);
  pthread_join(a, 0);
  assert(sem_unlink("/gate") == 0);
  assert(sem_open("/gate", 0) == SEM_FAILED);
  sem_t *fresh = sem_open("/gate", O_CREAT | O_EXCL, 0600, 3);
  assert(fresh != SEM_FAILED && fresh != gate);
  assert(sem_trywait(gate) == -1);
  assert(sem_trywait(fresh) == 0);
  REACHED;
}
