// safe, reached
#include <pthread.h>
// Nobody waits for himself.
#include <errno.h>
static void *routine(void *arg) { return (void *)(long)pthread_join(pthread_self(), 0); }
int main(void) {
  pthread_t id;
  void *result;
  pthread_create(&id, 0, routine, 0);
  pthread_join(id, &result);
  assert(result == (void *)EDEADLK);
  REACHED;
}
