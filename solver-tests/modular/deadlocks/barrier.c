// proved
// Two threads meet at a barrier again and again.
#include <pthread.h>
pthread_barrier_t barrier;
unsigned rounds;
static void *worker(void *arg) {
  while (1) {
    if (pthread_barrier_wait(&barrier))
      rounds++;
  }
  return 0;
}
int main(void) {
  pthread_t t, u;
#ifdef BROKEN
  pthread_barrier_init(&barrier, 0, 3);
#else
  pthread_barrier_init(&barrier, 0, 2);
#endif
  pthread_create(&t, 0, worker, 0);
  pthread_create(&u, 0, worker, 0);
  pthread_exit(0);
}
