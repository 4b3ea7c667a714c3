// expect: failed
// A thread's variable may stand where one of an ended thread stood.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
static void *place(void *arg) {
  int local;
  return (void *)(uintptr_t)&local;
}
int main(void) {
  pthread_t t;
  void *first, *second;
  pthread_create(&t, 0, place, 0);
  pthread_join(t, &first);
  pthread_create(&t, 0, place, 0);
  pthread_join(t, &second);
  assert((uintptr_t)first != (uintptr_t)second);
}
