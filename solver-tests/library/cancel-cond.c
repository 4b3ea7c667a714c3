// safe, reached
#include <pthread.h>
// The mutex is held again when the handlers run.
#include <errno.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int never, handled;
static void handle(void *arg) {
  assert(pthread_mutex_trylock(&m) == EBUSY);
  handled = 1;
  pthread_mutex_unlock(&m);
}
static void *routine(void *arg) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(handle, 0);
  pthread_cond_wait(&c, &m);
  pthread_cleanup_pop(1);
  return 0;
}
int main(void) {
  pthread_t id;
  void *result;
  pthread_create(&id, 0, routine, 0);
  pthread_cancel(id);
  pthread_join(id, &result);
  assert(handled);
  assert(pthread_mutex_trylock(&m) == 0);
  if (result == PTHREAD_CANCELED) REACHED;
}
