// unsafe
#define _GNU_SOURCE
#include <pthread.h>
// A thread that could have ended need not.
static void *routine(void *arg) { return 0; }
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, routine, 0);
  assert(pthread_tryjoin_np(id, 0) == 0);
}
