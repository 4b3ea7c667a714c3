// expect: complete
// A list is marked in the low bit of a pointer, and the pointer still leads to its object.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#define MARK ((uintptr_t)1)
static _Atomic uintptr_t link;
static void *mark(void *arg) {
  uintptr_t old = link;
  if (!(old & MARK)) atomic_compare_exchange_strong(&link, &old, old | MARK);
  return 0;
}
int main(void) {
  int *p = malloc(sizeof *p);
  *p = 3;
  link = (uintptr_t)p;
  pthread_t s, t;
  pthread_create(&s, 0, mark, 0);
  pthread_create(&t, 0, mark, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  uintptr_t u = link;
  assert(u == (uintptr_t)p + 1);
  assert((int *)(u & ~MARK) == p);
  assert(*(int *)(u & ~MARK) == 3);
}
