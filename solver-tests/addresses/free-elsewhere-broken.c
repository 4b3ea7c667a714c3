// expect: failed
// What a thread frees beside another's allocation may be that.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static uintptr_t other;
static void *make(void *arg) {
  other = (uintptr_t)malloc(16);
  return 0;
}
int main(void) {
  pthread_t t;
  char *p = malloc(16);
  uintptr_t own = (uintptr_t)p;
  pthread_create(&t, 0, make, 0);
  free(p);
  pthread_join(t, 0);
  assert(own != other);
}
