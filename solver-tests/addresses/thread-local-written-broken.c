// expect: bounded undefined
// A thread writes to the own variable of another one, which nobody reads and which may have ended.
#include <assert.h>
#include <pthread.h>
static int *place;
static _Thread_local int own;
static void *lend(void *unused) {
  place = &own;
  return unused;
}
static void *change(void *unused) {
  if (place)
    *place = 1;
  assert(own == 0);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, lend, 0);
  pthread_create(&b, 0, change, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
