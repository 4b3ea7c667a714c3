// expect: complete
// Versions in the upper 16 bits of a pointer.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#define MASK 0xFFFFFFFFFFFFul
static _Atomic uint64_t word;
static void *replace(void *arg) {
  int *p = malloc(sizeof *p);
  *p = 1;
  uint64_t old = word;
  atomic_compare_exchange_strong(&word, &old, (uintptr_t)p | ((old & ~MASK) + (MASK + 1)));
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, replace, 0);
  pthread_create(&t, 0, replace, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(word >> 48 == 1 || word >> 48 == 2);
  assert(*(int *)(uintptr_t)(word & MASK) == 1);
}
