// expect: complete
// schemes: order, lazy, timestamp, mu, auto, modular
// Queue of Michael and Scott, a counter beside each pointer; a node that was taken is made ready for its next use.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#define MASK 0xFFFFFFFFFFFFul
#define NODE(word) ((struct node *)(uintptr_t)((word) & MASK))
#define NEXT(node, old) ((uintptr_t)(node) | (((old) & ~MASK) + (MASK + 1)))
struct node { _Atomic uint64_t next; };
static struct node dummy, one, two;
static _Atomic uint64_t head, tail;
static int done;
static int enqueue(struct node *n) {
  uint64_t last = tail, next = NODE(last)->next;
  if (last != tail || NODE(next)) return 0;
  if (!atomic_compare_exchange_strong(&NODE(last)->next, &next, NEXT(n, next))) return 0;
  atomic_compare_exchange_strong(&tail, &last, NEXT(n, last));
  return 1;
}
static struct node *dequeue(void) {
  uint64_t first = head, last = tail, next = NODE(first)->next;
  if (first != head || NODE(first) == NODE(last)) return 0;
  return atomic_compare_exchange_strong(&head, &first, NEXT(NODE(next), first)) ? NODE(first) : 0;
}
static void *add(void *arg) {
  done = enqueue(&one);
  return 0;
}
static void *move(void *arg) {
  if (!enqueue(&two)) return 0;
  struct node *n = dequeue();
  if (n) n->next &= ~MASK;
  return 0;
}
int main(void) {
  head = tail = (uintptr_t)&dummy;
  pthread_t s, t;
  pthread_create(&s, 0, add, 0);
  pthread_create(&t, 0, move, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  struct node *n = NODE(head);
  for (int i = 0; i < 2; i++)
    if (n && n != &one) n = NODE(n->next);
  assert(!done || n == &one);
}
