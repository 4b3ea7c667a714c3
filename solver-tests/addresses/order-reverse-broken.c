// expect: failed
// Memory that is allocated later may stand higher.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static void *make(void *arg) { return malloc(4); }
int main(void) {
  pthread_t s, t;
  void *p, *q;
  pthread_create(&s, 0, make, 0);
  pthread_join(s, &p);
  pthread_create(&t, 0, make, 0);
  pthread_join(t, &q);
  assert((uintptr_t)p > (uintptr_t)q);
}
