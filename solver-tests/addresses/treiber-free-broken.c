// expect: failed
// Treiber's stack with `free`: the top is another node at the same place when it is exchanged.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { struct node *_Atomic next; };
static struct node *_Atomic top;
static struct node *kept;
static struct node *pop(void) {
  struct node *old = top;
  if (!old) return 0;
  struct node *next = old->next;
  return atomic_compare_exchange_strong(&top, &old, next) ? old : 0;
}
static void *take(void *arg) { return pop(); }
static void *churn(void *arg) {
  struct node *a = pop(), *b = pop();
  if (!a || !b) return 0;
  kept = b;
  free(a);
  struct node *c = malloc(sizeof *c), *old = top;
  c->next = old;
  atomic_compare_exchange_strong(&top, &old, c);
  return 0;
}
int main(void) {
  struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  b->next = 0;
  a->next = b;
  top = a;
  pthread_t s, t;
  pthread_create(&s, 0, take, 0);
  pthread_create(&t, 0, churn, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(!kept || top != kept);
}
