// expect: failed
// A pool of 64 bytes: a slot's number is taken from its address as if the array stood at a multiple of 64.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
static struct slot { struct slot *next; long value; } pool[4];
static int owner[4];
static void *use(void *arg) {
  uintptr_t index = (uintptr_t)arg >> 4 & 3;
  owner[index] = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, use, &pool[1]);
  pthread_join(t, 0);
  assert(owner[1]);
}
