// expect: failed
// A tag takes one bit more than the alignment of allocated memory leaves.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#define MARK ((uintptr_t)16)
static _Atomic uintptr_t link;
static void *mark(void *arg) {
  atomic_fetch_or(&link, MARK);
  return 0;
}
int main(void) {
  int *p = malloc(sizeof *p);
  link = (uintptr_t)p;
  pthread_t t;
  pthread_create(&t, 0, mark, 0);
  pthread_join(t, 0);
  assert((int *)(link & ~MARK) == p);
}
