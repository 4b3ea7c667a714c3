// safe, reached
#include <pthread.h>
#include <errno.h>
int x;
static void *routine(void *arg) {
  int old = 9;
  assert(pthread_setcancelstate(7, &old) == EINVAL);
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
  assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED);
  pthread_cancel(pthread_self());
  pthread_testcancel();
  x = 1;
  assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
  x = 2;
  pthread_testcancel();
  x = 3;
  return 0;
}
int main(void) {
  pthread_t id;
  void *result;
  pthread_create(&id, 0, routine, 0);
  pthread_join(id, &result);
  assert(x == 2 && result == PTHREAD_CANCELED);
  REACHED;
}
