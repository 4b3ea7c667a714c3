// expect: complete
// A pool of 64 bytes at a multiple of 64: a slot's number is in its address, and the pool's start as well.
#include <assert.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdint.h>
struct slot { struct slot *next; long value; };
static alignas(64) struct slot pool[4];
static int owner[4];
static void *use(void *arg) {
  uintptr_t index = (uintptr_t)arg >> 4 & 3;
  owner[index] = 1;
  struct slot *start = (struct slot *)((uintptr_t)arg & ~(uintptr_t)63);
  start->value = 8;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, use, &pool[1]);
  pthread_join(t, 0);
  assert(owner[1] && pool[0].value == 8);
}
