// expect: complete
// Variables of threads that both run differ.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
static void *inner(void *outer) {
  int local;
  assert((uintptr_t)&local != (uintptr_t)outer);
  return 0;
}
static void *outer(void *mains) {
  int local;
  assert((uintptr_t)&local != (uintptr_t)mains);
  pthread_t t;
  pthread_create(&t, 0, inner, &local);
  pthread_join(t, 0);
  return 0;
}
int main(void) {
  int local;
  pthread_t t;
  pthread_create(&t, 0, outer, &local);
  pthread_join(t, 0);
}
