// expect: complete
// A pointer in a bit-field of 48 bits, with a counter beside it.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { uint64_t p : 48; uint64_t n : 16; } word;
static void *set(void *arg) {
  pthread_mutex_lock(&lock);
  word.p = (uintptr_t)arg;
  word.n++;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
  *p = *q = 7;
  pthread_t t;
  pthread_create(&t, 0, set, p);
  set(q);
  pthread_join(t, 0);
  int *last = (int *)(uintptr_t)word.p;
  assert(word.n == 2 && (last == p || last == q) && *last == 7);
}
