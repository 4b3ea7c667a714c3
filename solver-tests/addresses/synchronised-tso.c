// expect: complete
// options: --mm tso
// schemes: order, lazy, auto
// What was done before `free` is seen by who gets the memory.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static int x;
static void *give(void *p) {
  x = 1;
  free(p);
  return 0;
}
int main(void) {
  void *p = malloc(8);
  uintptr_t u = (uintptr_t)p;
  pthread_t t;
  pthread_create(&t, 0, give, p);
  if ((uintptr_t)malloc(8) == u) assert(x == 1);
  pthread_join(t, 0);
}
