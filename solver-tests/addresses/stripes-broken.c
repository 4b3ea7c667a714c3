// expect: failed
// A striped lock: the threads hash different addresses, whose stripes may differ.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#define FREE PTHREAD_MUTEX_INITIALIZER
static pthread_mutex_t locks[4] = {FREE, FREE, FREE, FREE};
static int total;
static pthread_mutex_t *stripe(void *p) { return &locks[((uintptr_t)p >> 4) & 3]; }
static void *add(void *arg) {
  pthread_mutex_lock(stripe(arg));
  ++total;
  pthread_mutex_unlock(stripe(arg));
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, add, malloc(8));
  pthread_create(&t, 0, add, malloc(8));
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(total == 2);
}
