// safe, reached
#include <pthread.h>
int x;
static void *routine(void *arg) {
  pthread_cancel(pthread_self());
  x = 1;
  pthread_testcancel();
  assert(0);
  return 0;
}
int main(void) {
  pthread_t id;
  void *result = 0;
  pthread_testcancel();
  pthread_create(&id, 0, routine, 0);
  pthread_join(id, &result);
  assert(x == 1 && result == PTHREAD_CANCELED);
  REACHED;
}
