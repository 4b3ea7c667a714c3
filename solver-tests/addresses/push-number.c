// expect: complete
// schemes: order, lazy, timestamp, mu, auto, modular
// Links that are numbers: the link of a push that comes late names the new node.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
struct node { uintptr_t next; int value; };
static _Atomic uintptr_t top;
static void push(void) {
  uintptr_t old = top;
  struct node *n = malloc(sizeof *n);
  n->value = 1;
  n->next = old;
  atomic_compare_exchange_strong(&top, &old, (uintptr_t)n);
}
static void *add(void *arg) {
  push();
  return 0;
}
static void *replace(void *arg) {
  uintptr_t old = top;
  struct node *n = (struct node *)old;
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
  struct node *n = (struct node *)(uintptr_t)top;
  assert(n->value == 1);
  n = (struct node *)n->next;
  assert(!n || n->value == 1);
}
