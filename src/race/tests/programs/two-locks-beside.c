// One holds the first mutex of the structure, the other the second.
#include <pthread.h>
#include <stdlib.h>
struct node { pthread_mutex_t m, n; int a; } table[4];
extern int __VERIFIER_nondet_int(void);
void *f(void *p) {
  struct node *t = &table[__VERIFIER_nondet_int() & 3];
  pthread_mutex_lock(&t->m);
  t->a++; // open
  pthread_mutex_unlock(&t->m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  struct node *n = &table[__VERIFIER_nondet_int() & 3];
  pthread_mutex_lock(&n->n);
  n->a++; // open
  pthread_mutex_unlock(&n->n);
  return 0;
}
