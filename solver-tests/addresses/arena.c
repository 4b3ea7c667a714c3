// expect: complete
// An arena gives memory at multiples of 16, wherever its buffer stands.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
static char buffer[64];
static uintptr_t next;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *give(void *arg) {
  pthread_mutex_lock(&lock);
  uintptr_t p = (next + 15) & ~(uintptr_t)15;
  next = p + 16;
  pthread_mutex_unlock(&lock);
  *(char *)p = 1;
  return (void *)p;
}
int main(void) {
  next = (uintptr_t)buffer;
  pthread_t t;
  void *p;
  pthread_create(&t, 0, give, 0);
  char *q = give(0);
  pthread_join(t, &p);
  assert(((uintptr_t)p & 15) == 0 && ((uintptr_t)q & 15) == 0);
  assert((uintptr_t)p + 16 == (uintptr_t)q || (uintptr_t)q + 16 == (uintptr_t)p);
  assert(*(char *)p == 1 && *q == 1);
}
