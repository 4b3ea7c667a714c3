// expect: bounded undefined
// schemes: order, timestamp, step, lazy, auto, modular
// The hazard pointer protects what is at the place, but the thread reads through its pointer to what was there before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { struct node *_Atomic next; };
static struct node *_Atomic top, *_Atomic hazard;
static struct node *kept;
static void *take(void *arg) {
  struct node *old = top;
  if (!old) return 0;
  hazard = old;
  if (top != old) return 0;
  struct node *next = old->next;
  atomic_compare_exchange_strong(&top, &old, next);
  return 0;
}
static struct node *pop(void) {
  struct node *old = top;
  if (!old) return 0;
  return atomic_compare_exchange_strong(&top, &old, old->next) ? old : 0;
}
static void *churn(void *arg) {
  struct node *a = pop(), *b = pop();
  if (!a || !b) return 0;
  kept = b;
  if (hazard != a) free(a);
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
