// expect: failed
// A pointer is kept with its bits shifted and not turned.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static uint64_t kept;
static void *get(void *arg) {
  return (void *)(uintptr_t)(kept >> 20);
}
int main(void) {
  int *p = malloc(sizeof *p);
  kept = (uint64_t)(uintptr_t)p << 20;
  pthread_t t;
  void *found;
  pthread_create(&t, 0, get, 0);
  pthread_join(t, &found);
  assert(found == p);
}
