// expect: bounded undefined
// names: stale pointer
// Links that are pointers: the link of a push that comes late leads to the node that was freed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
static struct node *_Atomic top;
static void push(void) {
  struct node *old = top, *n = malloc(sizeof *n);
  n->value = 1;
  n->next = old;
  atomic_compare_exchange_strong(&top, &old, n);
}
static void *add(void *arg) {
  push();
  return 0;
}
static void *replace(void *arg) {
  struct node *old = top, *n = old;
  if (!atomic_compare_exchange_strong(&top, &old, n->next)) return 0;
  free(n);
  push();
  return 0;
}
int main(void) {
  push();
  pthread_t s, t;
  pthread_create(&s, 0, add, 0);
  pthread_create(&t, 0, replace, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  struct node *n = top;
  assert(n->value == 1);
  n = n->next;
  assert(!n || n->value == 1);
}
