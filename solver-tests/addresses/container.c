// expect: complete
// The structure around a member, by numbers.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
struct record { int value; long links[2]; };
#define RECORD(link) ((struct record *)((uintptr_t)(link) - offsetof(struct record, links)))
static void *set(void *link) {
  RECORD(link)->value = 6;
  return 0;
}
int main(void) {
  struct record *r = malloc(sizeof *r), other;
  r->value = other.value = 0;
  pthread_t t;
  pthread_create(&t, 0, set, r->links);
  set(other.links);
  pthread_join(t, 0);
  assert(r->value == 6 && other.value == 6);
  assert(RECORD(r->links) == r);
}
