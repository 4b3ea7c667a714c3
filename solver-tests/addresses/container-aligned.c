// expect: complete
// The structure around a member, where it is allocated at multiples of 32.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
struct record { int value; long links[3]; };
#define RECORD(link) ((struct record *)((uintptr_t)(link) & ~(uintptr_t)31))
static void *set(void *link) {
  RECORD(link)->value = 6;
  return 0;
}
int main(void) {
  struct record *r = aligned_alloc(32, sizeof *r);
  pthread_t t;
  pthread_create(&t, 0, set, r->links);
  pthread_join(t, 0);
  assert(r->value == 6);
}
