// unsafe
#include <pthread.h>
// What the routine does can be seen while it runs, by who does not ask for it.
pthread_once_t control = PTHREAD_ONCE_INIT;
int half;
static void start(void) { half = 1; half = 2; }
static void *routine(void *arg) { pthread_once(&control, start); return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, routine, 0);
  assert(half != 1);
}
