// expect: failed
// schemes: order, lazy, timestamp, step, mu, auto
// The distance between null and an address is a number like any other.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
static int object;
static uintptr_t word;
static void *set(void *arg) {
  word = (uintptr_t)&object;
  return 0;
}
int main(void) {
  pthread_t t;
  uintptr_t own = (uintptr_t)&object;
  pthread_create(&t, 0, set, 0);
  uintptr_t distance = word - word;
  assert(!distance || distance + own != 0 || (own >> 4 & 1));
}
