// safe, reached
#include <pthread.h>
// Main is a thread like any other.
int x;
static void clean(void *arg) { x = 1; }
static void *routine(void *main) {
  void *result;
  pthread_cancel(*(pthread_t *)main);
  if (x) REACHED;
  return 0;
}
pthread_t me;
int main(void) {
  pthread_t id;
  me = pthread_self();
  pthread_create(&id, 0, routine, &me);
  pthread_cleanup_push(clean, 0);
  pthread_join(id, 0);
  pthread_testcancel();
  assert(0);
  pthread_cleanup_pop(0);
}
