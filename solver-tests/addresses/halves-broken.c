// expect: failed
// A pointer in two halves of 32 bits: one half is that of another pointer.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
static _Atomic uint32_t high, low;
static void *set(void *p) {
  high = (uintptr_t)p >> 32;
  low = (uint32_t)(uintptr_t)p;
  return 0;
}
int main(void) {
  int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
  set(p);
  pthread_t t;
  pthread_create(&t, 0, set, q);
  int *seen = (int *)((uint64_t)high << 32 | low);
  assert(seen == p || seen == q);
  pthread_join(t, 0);
}
