// expect: complete
// One address has one hash, whoever computes it, and after `free`.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static void *hash(void *p) {
  uintptr_t u = (uintptr_t)p;
  return (void *)((u >> 4 ^ u >> 12) & 7);
}
int main(void) {
  pthread_t t;
  void *other, *p = malloc(8);
  pthread_create(&t, 0, hash, p);
  void *own = hash(p);
  pthread_join(t, &other);
  free(p);
  assert(own == other && own == hash(p));
}
