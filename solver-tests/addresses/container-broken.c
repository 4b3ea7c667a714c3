// expect: failed
// The structure around a member, as if structures stood at multiples of 32.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
struct record { int value; long links[3]; };
#define RECORD(link) ((struct record *)((uintptr_t)(link) & ~(uintptr_t)31))
static struct record *found;
static void *find(void *link) {
  found = RECORD(link);
  return 0;
}
int main(void) {
  struct record *r = malloc(sizeof *r);
  pthread_t t;
  pthread_create(&t, 0, find, r->links);
  pthread_join(t, 0);
  assert(found == r);
}
