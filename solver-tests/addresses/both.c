// expect: complete
// A union of a pointer and a number, in which a mark is set and cleared.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static union both { int *p; uintptr_t u; unsigned char bytes[sizeof(int *)]; } word;
static void *clear(void *arg) {
  word.bytes[0] &= 0xFC;
  return 0;
}
int main(void) {
  int *p = malloc(sizeof *p);
  word.p = p;
  word.u |= 3;
  assert(word.p != p);
  pthread_t t;
  pthread_create(&t, 0, clear, 0);
  pthread_join(t, 0);
  assert(word.p == p && word.u == (uintptr_t)p);
  *word.p = 2;
  assert(*p == 2);
}
