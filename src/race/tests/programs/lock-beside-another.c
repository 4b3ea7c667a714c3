// The mutex of another element is held, or the pointer has moved on.
#include <pthread.h>
#include <stdlib.h>
struct node { pthread_mutex_t m; int a, b, c; struct node *next; } *list, table[4];
extern int __VERIFIER_nondet_int(void);
void *f(void *p) {
  struct node *n = &table[__VERIFIER_nondet_int() & 3], *o = &table[__VERIFIER_nondet_int() & 3];
  pthread_mutex_lock(&n->m);
  o->a++; // open
  pthread_mutex_unlock(&n->m);
  pthread_mutex_t *m = &n->m;
  pthread_mutex_lock(m);
  n = &table[__VERIFIER_nondet_int() & 3];
  n->b++; // open
  pthread_mutex_unlock(m);
  for (n = table; n < table + 3; n++) {
    if (n == table)
      pthread_mutex_lock(&n->m);
    n->c++; // open
  }
  pthread_mutex_unlock(&table->m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  return 0;
}
