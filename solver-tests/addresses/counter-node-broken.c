// expect: failed
// A counter in nodes that are replaced and freed: an update is lost when a node comes back.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int value; };
static struct node *_Atomic shared;
static int first, second;
static void *once(void *arg) {
  struct node *old = shared, *new = malloc(sizeof *new);
  new->value = old->value + 1;
  first = atomic_compare_exchange_strong(&shared, &old, new);
  return 0;
}
static int add(void) {
  struct node *old = shared, *was = old, *new = malloc(sizeof *new);
  new->value = old->value + 1;
  if (!atomic_compare_exchange_strong(&shared, &old, new)) return 0;
  free(was);
  return 1;
}
static void *twice(void *arg) {
  second = add();
  second += add();
  return 0;
}
int main(void) {
  struct node *start = malloc(sizeof *start);
  start->value = 0;
  shared = start;
  pthread_t s, t;
  pthread_create(&s, 0, once, 0);
  pthread_create(&t, 0, twice, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  struct node *last = shared;
  assert(last->value == first + second);
}
