// expect: complete
// A thread's own variable lives as long as the thread.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
static _Thread_local int own;
static int *_Atomic place;
static atomic_int done;
static void *lend(void *arg) {
  own = 1;
  place = &own;
  while (!done) {}
  assert(own == 2);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, lend, 0);
  int *p = place;
  if (p) {
    assert(*p == 1);
    *p = 2;
    done = 1;
  }
}
