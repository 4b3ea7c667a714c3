// expect: complete
// options: --32
// A pointer as its distance from a base, of 32 bits, where addresses have 32.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static int base;
static int32_t distance;
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
