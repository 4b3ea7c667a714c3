// expect: bounded undefined
// A pointer is followed with its version.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static _Atomic uint64_t link;
static int target;
static void *raise(void *arg) {
  atomic_fetch_add(&link, 1ul << 48);
  return 0;
}
int main(void) {
  link = (uintptr_t)&target;
  pthread_t t;
  pthread_create(&t, 0, raise, 0);
  assert(*(int *)(uintptr_t)link == 0);
  pthread_join(t, 0);
}
