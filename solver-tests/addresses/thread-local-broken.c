// expect: failed
// A thread's own variable may stand where that of an ended thread stood.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
static _Thread_local int own;
static void *place(void *arg) { return (void *)(uintptr_t)&own; }
int main(void) {
  pthread_t t;
  void *first, *second;
  pthread_create(&t, 0, place, 0);
  pthread_join(t, &first);
  pthread_create(&t, 0, place, 0);
  pthread_join(t, &second);
  assert((uintptr_t)first != (uintptr_t)second);
}
