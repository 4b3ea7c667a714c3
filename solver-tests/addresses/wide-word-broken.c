// expect: failed
// The counter takes 80 bits of the 128, and the pointer overflows.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
typedef unsigned __int128 wide;
static wide word;
static void *replace(void *p) {
  wide old = __sync_val_compare_and_swap(&word, 0, 0);
  wide new = old + 1 + ((wide)(uintptr_t)p << 82);
  __sync_bool_compare_and_swap(&word, old, new);
  return 0;
}
int main(void) {
  int local = 1;
  pthread_t t;
  pthread_create(&t, 0, replace, &local);
  pthread_join(t, 0);
  assert((uint64_t)word == 1);
  assert((int *)(uintptr_t)(word >> 82) == &local);
}
