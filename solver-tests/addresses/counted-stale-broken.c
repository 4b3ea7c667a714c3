// expect: bounded undefined
// names: stale pointer
// A pointer that is accessed as one word with a counter stays one to its object where the counter is in parts.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
union counted {
  _Atomic unsigned __int128 both;
  struct { int *first; uint32_t count, flags; };
};
static union counted top;
static void *count(void *arg) {
  top.count++;
  top.flags = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, count, 0);
  union counted next = {0}, now;
  next.first = malloc(sizeof(int));
  top.both = next.both;
  pthread_join(t, 0);
  now.both = top.both;
  free(now.first);
  int *fresh = malloc(sizeof *fresh);
  *fresh = 1;
  if (fresh == now.first) assert(*now.first == 1);
}
