// expect: complete
// As numbers, the addresses of live objects are totally ordered.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static void *make(void *arg) { return malloc(4); }
int main(void) {
  pthread_t s, t;
  void *p, *q;
  int local;
  pthread_create(&s, 0, make, 0);
  pthread_create(&t, 0, make, 0);
  pthread_join(s, &p);
  pthread_join(t, &q);
  uintptr_t a = (uintptr_t)p, b = (uintptr_t)q, c = (uintptr_t)&local;
  assert(a < b || b < a);
  assert(!(a < b && b < a));
  assert(!(a < b && b < c) || a < c);
  assert(!(c < b && b < a) || c < a);
  assert(a != c && b != c);
}
