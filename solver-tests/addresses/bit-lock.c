// expect: complete
// A lock in the low bit of a pointer to an `int`.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static int counter;
static _Atomic uintptr_t word;
static _Atomic int done;
static void *add(void *arg) {
  uintptr_t old = atomic_fetch_or(&word, 2);
  if (old & 2) return 0;
  ++*(int *)old;
  done++;
  atomic_fetch_and(&word, ~(uintptr_t)2);
  return 0;
}
int main(void) {
  word = (uintptr_t)&counter;
  pthread_t s, t;
  pthread_create(&s, 0, add, 0);
  pthread_create(&t, 0, add, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(counter == done && done >= 1);
  assert((int *)word == &counter);
}
