// expect: complete
// A counter in nodes that are replaced and never freed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int value; };
static struct node *_Atomic shared;
static int first, second;
static int add(void) {
  struct node *old = shared, *new = malloc(sizeof *new);
  new->value = old->value + 1;
  return atomic_compare_exchange_strong(&shared, &old, new);
}
static void *once(void *arg) {
  first = add();
  return 0;
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
