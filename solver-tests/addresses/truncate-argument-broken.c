// expect: failed
// The address of a local variable is given to a thread in an `int`.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
static int local;
static void *set(void *arg) {
  assert(arg == &local);
  *(int *)arg = 5;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, (void *)(uintptr_t)(unsigned)(uintptr_t)&local);
  pthread_join(t, 0);
  assert(local == 5);
}
