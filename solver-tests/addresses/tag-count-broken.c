// expect: failed
// A count of references from bit 40 on.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static _Atomic uint64_t word;
static int target;
static void *hold(void *arg) {
  uint64_t old = atomic_fetch_add(&word, 1ul << 40);
  int *p = (int *)((int64_t)(old << 24) >> 24);
  assert(p == &target);
  return 0;
}
int main(void) {
  word = (uintptr_t)&target;
  pthread_t s, t;
  pthread_create(&s, 0, hold, 0);
  pthread_create(&t, 0, hold, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
}
