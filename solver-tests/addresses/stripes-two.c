// expect: complete
// Two objects may have one stripe: it is locked once then.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#define FREE PTHREAD_MUTEX_INITIALIZER
static pthread_mutex_t locks[4] = {FREE, FREE, FREE, FREE};
static pthread_mutex_t *stripe(void *p) { return &locks[((uintptr_t)p >> 4) & 3]; }
int main(void) {
  pthread_mutex_t *from = stripe(malloc(8)), *to = stripe(malloc(8));
  pthread_mutex_lock(from);
  if (from != to) assert(pthread_mutex_trylock(to) == 0);
}
