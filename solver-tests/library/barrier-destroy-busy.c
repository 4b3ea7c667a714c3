// unsafe
#include <pthread.h>
pthread_barrier_t b;
static void *routine(void *arg) { pthread_barrier_wait(&b); return 0; }
int main(void) {
  pthread_t a;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&a, 0, routine, 0);
  assert(pthread_barrier_destroy(&b) == 0);
}
