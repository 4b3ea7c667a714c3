// expect: complete
// A pointer that is kept as an integer beside a counter leads to what lives there now.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
union counted {
  _Atomic unsigned __int128 both;
  struct { uintptr_t first; uint32_t count, flags; };
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
  next.first = (uintptr_t)malloc(sizeof(int));
  top.both = next.both;
  pthread_join(t, 0);
  now.both = top.both;
  free((int *)now.first);
  int *fresh = malloc(sizeof *fresh);
  *fresh = 1;
  if (fresh == (int *)now.first) assert(*(int *)now.first == 1);
}
