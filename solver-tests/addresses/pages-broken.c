// expect: failed
// Two threads' objects may share a page.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static void *make(void *arg) { return malloc(16); }
int main(void) {
  pthread_t t;
  void *p;
  pthread_create(&t, 0, make, 0);
  char *q = make(0);
  pthread_join(t, &p);
  assert((uintptr_t)p >> 12 != (uintptr_t)q >> 12);
}
