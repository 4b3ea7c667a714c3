// expect: failed
// schemes: order, lazy, timestamp, step, mu, auto
// As distance-null-broken, where nothing else looks at an address.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
static int object;
static uintptr_t word;
static void *set(void *arg) { word = (uintptr_t)&object; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  uintptr_t distance = word - word;
  assert((distance >> 16 & 1) == 0);
}
