// expect: complete
// Allocated memory is aligned for every type.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static void *check(void *arg) {
  assert(((uintptr_t)malloc(64) & 15) == 0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, check, 0);
  check(0);
  pthread_join(t, 0);
}
