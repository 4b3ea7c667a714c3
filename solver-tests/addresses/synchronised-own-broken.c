// expect: failed
// options: --mm pso
// schemes: order, lazy, auto
// A thread gets back at once what it has freed itself, whatever others see by then.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static int x, same;
static void *give(void *p) {
  uintptr_t u = (uintptr_t)p;
  x = 1;
  free(p);
  if ((uintptr_t)malloc(8) == u) __atomic_store_n(&same, 1, __ATOMIC_RELAXED);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, give, malloc(8));
  if (__atomic_load_n(&same, __ATOMIC_RELAXED)) assert(x == 1);
  pthread_join(t, 0);
}
