// expect: failed
// An arena rounds offsets and forgets where its buffer stands.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
static struct { char tag; char buffer[64]; } arena;
static uintptr_t next = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *give(void *arg) {
  pthread_mutex_lock(&lock);
  uintptr_t offset = (next + 15) & ~(uintptr_t)15;
  next = offset + 16;
  pthread_mutex_unlock(&lock);
  return arena.buffer + offset;
}
int main(void) {
  pthread_t t;
  void *p;
  pthread_create(&t, 0, give, 0);
  give(0);
  pthread_join(t, &p);
  assert(((uintptr_t)p & 15) == 0);
}
