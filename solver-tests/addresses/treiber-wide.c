// expect: complete
// Treiber's stack with a version beside the pointer, exchanged together in 128 bits.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
struct node { struct node *_Atomic next; };
struct top { struct node *node; uint64_t version; };
static _Atomic struct top top;
static struct node *kept;
static struct node *pop(void) {
  struct top old = top;
  if (!old.node) return 0;
  struct top new = {old.node->next, old.version + 1};
  return atomic_compare_exchange_strong(&top, &old, new) ? old.node : 0;
}
static void *take(void *arg) { return pop(); }
static void *churn(void *arg) {
  struct node *a = pop(), *b = pop();
  if (!a || !b) return 0;
  kept = b;
  struct top old = top;
  a->next = old.node;
  struct top new = {a, old.version};
  atomic_compare_exchange_strong(&top, &old, new);
  return 0;
}
int main(void) {
  struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  b->next = 0;
  a->next = b;
  struct top first = {a, 0};
  top = first;
  pthread_t s, t;
  pthread_create(&s, 0, take, 0);
  pthread_create(&t, 0, churn, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  struct top last = top;
  assert(!kept || last.node != kept);
}
