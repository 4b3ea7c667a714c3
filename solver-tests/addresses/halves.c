// expect: complete
// A pointer in two halves of 32 bits, under a lock.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t high, low;
static void *set(void *p) {
  pthread_mutex_lock(&lock);
  high = (uintptr_t)p >> 32;
  low = (uint32_t)(uintptr_t)p;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
  *p = *q = 1;
  set(p);
  pthread_t t;
  pthread_create(&t, 0, set, q);
  pthread_mutex_lock(&lock);
  int *seen = (int *)((uint64_t)high << 32 | low);
  pthread_mutex_unlock(&lock);
  assert(seen == p || seen == q);
  assert(*seen == 1);
  pthread_join(t, 0);
}
