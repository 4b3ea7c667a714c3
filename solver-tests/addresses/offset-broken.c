// expect: failed
// A pointer as its distance from a base, of 32 bits.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static int base;
static int32_t distance;
static void *find(void *arg) {
  return (void *)((uintptr_t)&base + distance);
}
int main(void) {
  int *p = malloc(sizeof *p);
  distance = (uintptr_t)p - (uintptr_t)&base;
  pthread_t t;
  void *found;
  pthread_create(&t, 0, find, 0);
  pthread_join(t, &found);
  assert(found == p);
}
