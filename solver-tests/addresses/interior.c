// expect: complete
// Live objects do not overlap, and their alignment leaves gaps.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static void *make(void *arg) { return malloc(24); }
int main(void) {
  pthread_t t;
  void *p;
  pthread_create(&t, 0, make, 0);
  uintptr_t b = (uintptr_t)malloc(24);
  pthread_join(t, &p);
  uintptr_t a = (uintptr_t)p;
  assert(a + 32 <= b || b + 32 <= a);
}
