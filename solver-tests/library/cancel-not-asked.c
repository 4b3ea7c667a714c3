// safe, reached
#include <pthread.h>
// Without anybody who cancels, types and states are only kept.
int main(void) {
  int old = 9;
  assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED);
  assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0 && old == PTHREAD_CANCEL_ASYNCHRONOUS);
  pthread_testcancel();
  REACHED;
}
