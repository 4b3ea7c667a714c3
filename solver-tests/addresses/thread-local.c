// expect: complete
// Each running thread has its own variable.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
static _Thread_local int own;
static void *differ(void *mains) {
  assert((uintptr_t)&own != (uintptr_t)mains);
  own = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, differ, &own);
  pthread_join(t, 0);
  assert(own == 0);
}
