// expect: failed
// Versions in the upper 24 bits of a pointer: addresses have more than 40.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#define MASK 0xFFFFFFFFFFul
static _Atomic uint64_t word;
static void *replace(void *arg) {
  uint64_t old = word;
  atomic_compare_exchange_strong(&word, &old, (uintptr_t)malloc(4) | ((old & ~MASK) + (MASK + 1)));
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, replace, 0);
  pthread_create(&t, 0, replace, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(word >> 40 == 1 || word >> 40 == 2);
}
