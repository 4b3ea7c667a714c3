// expect: complete
// A pointer is kept with its bits turned and some inverted, as C libraries keep function pointers.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#define GUARD 0x5BD1E9955BD1E995ul
static uint64_t kept;
static void *set(void *arg) {
  uint64_t u = kept >> 17 | kept << 47;
  *(int *)(uintptr_t)(u ^ GUARD) = 9;
  return 0;
}
int main(void) {
  int *p = malloc(sizeof *p);
  uint64_t u = (uintptr_t)p ^ GUARD;
  kept = u << 17 | u >> 47;
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  pthread_join(t, 0);
  assert(*p == 9);
}
