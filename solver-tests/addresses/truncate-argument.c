// expect: complete
// The address of a local variable is given to a thread as a number.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
static void *set(void *arg) {
  uintptr_t number = (uintptr_t)arg;
  *(int *)number = 5;
  return (void *)(number + 1);
}
int main(void) {
  int local = 0;
  pthread_t t;
  void *result;
  pthread_create(&t, 0, set, (void *)(uintptr_t)&local);
  pthread_join(t, &result);
  assert(local == 5);
  assert((uintptr_t)result == (uintptr_t)&local + 1);
}
