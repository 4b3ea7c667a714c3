// expect: failed
// Different addresses may have one hash.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static void *hash(void *arg) {
  uintptr_t u = (uintptr_t)malloc(8);
  return (void *)((u >> 4 ^ u >> 12) & 7);
}
int main(void) {
  pthread_t t;
  void *other;
  pthread_create(&t, 0, hash, 0);
  void *own = hash(0);
  pthread_join(t, &other);
  assert(own != other);
}
