// expect: failed
// A lock in a bit of a pointer to an `int` that addresses use: nobody may come in.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static int counter[2];
static _Atomic uintptr_t word;
static _Atomic int done;
static void *add(void *arg) {
  uintptr_t old = atomic_fetch_or(&word, 4);
  if (old & 4) return 0;
  ++*(int *)old;
  done++;
  atomic_fetch_and(&word, ~(uintptr_t)4);
  return 0;
}
int main(void) {
  word = (uintptr_t)&counter[1];
  pthread_t s, t;
  pthread_create(&s, 0, add, 0);
  pthread_create(&t, 0, add, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(done >= 1);
}
