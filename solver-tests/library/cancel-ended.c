// safe, reached
#include <pthread.h>
// A thread that is past its last point ends as it would.
static void *routine(void *arg) { return (void *)2; }
int main(void) {
  pthread_t id;
  void *result;
  pthread_create(&id, 0, routine, 0);
  assert(pthread_cancel(id) == 0);
  pthread_join(id, &result);
  assert(result == (void *)2);
  REACHED;
}
