// expect: complete
// What is allocated by pages has pages of its own.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static void *make(void *arg) { return aligned_alloc(4096, 4096); }
int main(void) {
  pthread_t t;
  void *p;
  pthread_create(&t, 0, make, 0);
  char *q = make(0);
  pthread_join(t, &p);
  assert((uintptr_t)p >> 12 != (uintptr_t)(q + 4095) >> 12);
}
