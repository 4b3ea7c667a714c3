// expect: complete
// A pointer and a counter in one integer of 128 bits.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
typedef unsigned __int128 wide;
static wide word;
static void *replace(void *arg) {
  int *p = malloc(sizeof *p);
  *p = 1;
  wide old = __sync_val_compare_and_swap(&word, 0, 0);
  wide new = (wide)((uint64_t)old + 1) | (wide)(uintptr_t)p << 64;
  __sync_bool_compare_and_swap(&word, old, new);
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, replace, 0);
  pthread_create(&t, 0, replace, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert((uint64_t)word == 1 || (uint64_t)word == 2);
  assert(*(int *)(uintptr_t)(word >> 64) == 1);
}
