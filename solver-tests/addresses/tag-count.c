// expect: complete
// A count of references in the upper bits of a pointer, which is brought back by its sign.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static _Atomic uint64_t word;
static int target;
static void *hold(void *arg) {
  uint64_t old = atomic_fetch_add(&word, 1ul << 48);
  int *p = (int *)((int64_t)(old << 16) >> 16);
  assert(p == &target);
  assert(*p == 0);
  return 0;
}
int main(void) {
  word = (uintptr_t)&target;
  pthread_t s, t;
  pthread_create(&s, 0, hold, 0);
  pthread_create(&t, 0, hold, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(word >> 48 == 2);
}
