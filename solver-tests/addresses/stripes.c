// expect: complete
// A striped lock: both threads hash the same address.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#define FREE PTHREAD_MUTEX_INITIALIZER
static pthread_mutex_t locks[4] = {FREE, FREE, FREE, FREE};
static pthread_mutex_t *stripe(void *p) { return &locks[((uintptr_t)p >> 4) & 3]; }
static void *add(void *arg) {
  int *counter = arg;
  pthread_mutex_lock(stripe(counter));
  ++*counter;
  pthread_mutex_unlock(stripe(counter));
  return 0;
}
int main(void) {
  int *counter = malloc(sizeof *counter);
  *counter = 0;
  pthread_t s, t;
  pthread_create(&s, 0, add, counter);
  pthread_create(&t, 0, add, counter);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(*counter == 2);
}
