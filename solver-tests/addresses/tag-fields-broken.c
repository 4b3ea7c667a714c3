// expect: failed
// A pointer in a bit-field of 46 bits.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
static struct { uint64_t p : 46; uint64_t n : 18; } word;
static void *set(void *arg) {
  word.p = (uintptr_t)arg;
  word.n++;
  return 0;
}
int main(void) {
  int local;
  pthread_t t;
  pthread_create(&t, 0, set, &local);
  pthread_join(t, 0);
  assert((int *)(uintptr_t)word.p == &local);
}
