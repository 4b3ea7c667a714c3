// expect: complete
// A pointer as its distance from a base, of 64 bits.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static int base;
static int64_t distance;
static void *set(void *arg) {
  *(int *)((uintptr_t)&base + distance) = 4;
  return 0;
}
int main(void) {
  int *p = malloc(sizeof *p);
  distance = (uintptr_t)p - (uintptr_t)&base;
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  pthread_join(t, 0);
  assert(*p == 4 && base == 0);
}
