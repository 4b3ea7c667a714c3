// expect: failed
// Treiber's pop while the other thread pops, frees, allocates and pushes: what a new node holds before it is set is no
// address, so that every pointer to a node goes on to be one.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node { int value; struct node *next; } *top;
static void *pop(void *arg) {
  struct node *old = top;
  if (old) {
    struct node *next = old->next;
    if (__sync_bool_compare_and_swap(&top, old, next)) old->value++;
  }
  return 0;
}
static void *exchange(void *arg) {
  struct node *first = top;
  top = first ? first->next : 0;
  free(first);
  struct node *other = malloc(sizeof *other);
  other->value = 0;
  other->next = top;
  top = other;
  return 0;
}
int main(void) {
  pthread_t s, t;
  top = malloc(sizeof *top);
  top->value = 0;
  top->next = malloc(sizeof *top);
  top->next->value = 0;
  top->next->next = 0;
  pthread_create(&s, 0, pop, 0);
  pthread_create(&t, 0, exchange, 0);
  assert(!top || top->value == 0);
}
