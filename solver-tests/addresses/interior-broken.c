// expect: failed
// There is no room between objects that nobody asks for.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static void *make(void *arg) { return malloc(24); }
int main(void) {
  pthread_t t;
  void *p;
  uintptr_t b = (uintptr_t)malloc(24);
  pthread_create(&t, 0, make, 0);
  pthread_join(t, &p);
  uintptr_t a = (uintptr_t)p;
  assert(a + 48 <= b || b + 48 <= a);
}
