// expect: bounded undefined
// A pointer is followed with its mark.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static _Atomic uintptr_t link;
static int target[2];
static void *mark(void *arg) {
  atomic_fetch_or(&link, 1);
  return 0;
}
int main(void) {
  link = (uintptr_t)target;
  pthread_t t;
  pthread_create(&t, 0, mark, 0);
  assert(*(int *)link == 0);
  pthread_join(t, 0);
}
