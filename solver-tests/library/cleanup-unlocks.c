// safe, reached
#include <pthread.h>
// A function of the library as a handler.
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *routine(void *arg) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push((void (*)(void *))pthread_mutex_unlock, &m);
  if (arg)
    pthread_exit(0);
  pthread_cleanup_pop(1);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, routine, 0);
  pthread_create(&b, 0, routine, (void *)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(pthread_mutex_trylock(&m) == 0);
  REACHED;
}
