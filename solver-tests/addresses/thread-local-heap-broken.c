// expect: failed
// Storage of a thread's own variable may be allocated when the thread has ended.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static _Thread_local long own[4];
static void *place(void *arg) { return (void *)(uintptr_t)&own; }
int main(void) {
  pthread_t t;
  void *first;
  pthread_create(&t, 0, place, 0);
  pthread_join(t, &first);
  assert((uintptr_t)malloc(8) != (uintptr_t)first);
}
