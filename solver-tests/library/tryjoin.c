// safe, reached
#define _GNU_SOURCE
#include <pthread.h>
#include <errno.h>
int done, go;
static void *routine(void *arg) { __VERIFIER_assume(go); done = 1; return (void *)3; }
int main(void) {
  pthread_t id;
  struct timespec until = {1, 0};
  void *result = 0;
  pthread_create(&id, 0, routine, 0);
  assert(pthread_tryjoin_np(id, &result) == EBUSY);
  assert(pthread_timedjoin_np(id, &result, &until) == ETIMEDOUT);
  assert(pthread_clockjoin_np(id, &result, CLOCK_MONOTONIC, &until) == ETIMEDOUT);
  go = 1;
  int status = pthread_tryjoin_np(id, &result);
  assert(status == 0 || status == EBUSY);
  if (status == 0) {
    assert(done && result == (void *)3);
    REACHED;
  }
}
