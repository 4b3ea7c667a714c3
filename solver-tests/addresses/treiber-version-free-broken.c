// expect: bounded undefined
// schemes: order, lazy, timestamp, mu, auto, modular
// Versions keep Treiber's stack from exchanging the wrong top, but a node is read after another thread freed it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#define MASK 0xFFFFFFFFFFFFul
#define NODE(word) ((struct node *)(uintptr_t)((word) & MASK))
struct node { struct node *_Atomic next; };
static _Atomic uint64_t top;
static struct node *kept;
static struct node *pop(void) {
  uint64_t old = top;
  if (!NODE(old)) return 0;
  uint64_t next = (uintptr_t)NODE(old)->next | ((old & ~MASK) + (MASK + 1));
  return atomic_compare_exchange_strong(&top, &old, next) ? NODE(old) : 0;
}
static void push(struct node *n) {
  uint64_t old = top;
  n->next = NODE(old);
  atomic_compare_exchange_strong(&top, &old, (old & ~MASK) | (uintptr_t)n);
}
static void *take(void *arg) { return pop(); }
static void *churn(void *arg) {
  struct node *a = pop(), *b = pop();
  if (!a || !b) return 0;
  kept = b;
  free(a);
  push(malloc(sizeof(struct node)));
  return 0;
}
int main(void) {
  push(malloc(sizeof(struct node)));
  push(malloc(sizeof(struct node)));
  pthread_t s, t;
  pthread_create(&s, 0, take, 0);
  pthread_create(&t, 0, churn, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(!kept || NODE(top) != kept);
}
