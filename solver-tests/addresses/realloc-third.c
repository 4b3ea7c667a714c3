// expect: complete
// What others allocate meanwhile stands apart from what grows, before and after.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static char *a;
static uintptr_t old, grown;
static void *grow(void *arg) {
  old = (uintptr_t)a;
  a = realloc(a, 64);
  grown = (uintptr_t)a;
  return 0;
}
int main(void) {
  a = malloc(32);
  pthread_t t;
  pthread_create(&t, 0, grow, 0);
  char *mine = malloc(8);
  pthread_join(t, 0);
  assert((uintptr_t)mine + 8 <= grown || grown + 64 <= (uintptr_t)mine);
}
