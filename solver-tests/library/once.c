// safe, reached
#include <pthread.h>
// Nobody comes through before the routine has run, and it runs once.
pthread_once_t control = PTHREAD_ONCE_INIT;
int runs, ready;
static void start(void) { runs++; ready = 1; }
static void *routine(void *arg) {
  assert(pthread_once(&control, start) == 0);
  assert(ready == 1 && runs == 1);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, routine, 0);
  pthread_create(&b, 0, routine, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_once(&control, start);
  assert(runs == 1);
  REACHED;
}
