// expect: failed
// options: --32
// A kept address becomes another number by an atomic update while a thread frees through it.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
int other, *last;
uintptr_t kept;
static void *renew(void *unused) {
  int *old = (int *)(kept & ~(uintptr_t)3);
  free(old);
  old = malloc(4);
  *old = 2;
  last = old;
  return unused;
}
static void *check(void *unused) {
  assert(*last != 2);
  return unused;
}
int main(void) {
  pthread_t a, b;
  int *first = malloc(4);
  *first = 1;
  last = first;
  kept = (uintptr_t)first;
  pthread_create(&a, 0, renew, 0);
  pthread_create(&b, 0, check, 0);
  __atomic_fetch_xor(&kept, (uintptr_t)&other, __ATOMIC_SEQ_CST);
  return 0;
}
