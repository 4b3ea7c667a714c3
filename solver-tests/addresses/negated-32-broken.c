// expect: failed
// options: --32
// schemes: order, lazy, timestamp, step, mu, auto
// A word holds an address or the negative of one: of no number is it said that it is a pointer.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static uintptr_t word;
static int same;
static void *clear(void *arg) {
  uintptr_t seen = word;
  uintptr_t plain = seen & ~(uintptr_t)3;
  if (__sync_bool_compare_and_swap(&word, seen, 0)) same = plain == seen;
  return 0;
}
static void *exchange(void *arg) {
  free((void *)(word & ~(uintptr_t)3));
  word = (uintptr_t)malloc(8);
  return 0;
}
int main(void) {
  pthread_t s, t;
  word = (uintptr_t)malloc(8);
  pthread_create(&s, 0, clear, 0);
  pthread_create(&t, 0, exchange, 0);
  word = -word;
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(same);
}
