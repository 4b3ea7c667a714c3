// expect: complete
// Treiber's stack, but a lock makes each operation one: memory that comes back harms nobody.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; };
static struct node *top, *kept;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *pop(void) {
  pthread_mutex_lock(&lock);
  struct node *old = top;
  if (old) top = old->next;
  pthread_mutex_unlock(&lock);
  return old;
}
static void *take(void *arg) { return pop(); }
static void *churn(void *arg) {
  struct node *a = pop(), *b = pop();
  if (!a || !b) return 0;
  kept = b;
  free(a);
  struct node *c = malloc(sizeof *c);
  pthread_mutex_lock(&lock);
  c->next = top;
  top = c;
  pthread_mutex_unlock(&lock);
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
