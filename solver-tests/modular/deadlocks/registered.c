// proved
// A waiter registers itself in the step in which it looks at the flag.
#define FIXED
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern void __selvedge_wait(int);
int ready, waiting, woken;
static void *waiter(void *arg) {
  __VERIFIER_atomic_begin();
  int r = ready;
#ifdef FIXED
  if (!r)
    waiting = 1;
#endif
  __VERIFIER_atomic_end();
  if (!r) {
#ifndef FIXED
    __VERIFIER_atomic_begin();
    waiting = 1;
    __VERIFIER_atomic_end();
#endif
    __VERIFIER_atomic_begin();
    __selvedge_wait(woken);
    woken = 0;
    __VERIFIER_atomic_end();
  }
  return 0;
}
static void *waker(void *arg) {
  __VERIFIER_atomic_begin();
  ready = 1;
  if (waiting)
    woken = 1;
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, waiter, 0);
  pthread_create(&u, 0, waker, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
