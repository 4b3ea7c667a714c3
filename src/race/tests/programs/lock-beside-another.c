// The mutex of another structure is held, or the pointer has moved on.
#include <pthread.h>
#include <stdlib.h>
struct node { pthread_mutex_t m; int a, b, c; struct node *next; } *first, *second;
extern int __VERIFIER_nondet_int(void);
struct node *any(void) { return __VERIFIER_nondet_int() ? first : second; }
void *f(void *p) {
  struct node *n = any(), *o = any();
  pthread_mutex_lock(&n->m);
  o->a++; // open
  pthread_mutex_unlock(&n->m);
  pthread_mutex_t *m = &n->m;
  pthread_mutex_lock(m);
  n = any();
  n->b++; // open
  pthread_mutex_unlock(m);
  return 0;
}
int main(void) {
  pthread_t t;
  first = malloc(sizeof *first);
  second = malloc(sizeof *second);
  first->next = second;
  second->next = 0;
  pthread_create(&t, 0, f, 0);
  f(0);
  return 0;
}
