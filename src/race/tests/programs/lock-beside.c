// The mutex is in the structure whose member it protects.
// says f:heap: both hold the mutex beside it
// says table: both hold the mutex beside it
#include <pthread.h>
#include <stdlib.h>
struct node { pthread_mutex_t m; int a, b; struct node *next; } *list, table[4];
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t of_list = PTHREAD_MUTEX_INITIALIZER;
void add(struct node *n) { n->a += 2; }
void *f(void *p) {
  struct node *n = malloc(sizeof *n);
  pthread_mutex_init(&n->m, 0);
  n->a = 1;
  pthread_mutex_lock(&of_list);
  n->next = list;
  list = n;
  n = n->next;
  pthread_mutex_unlock(&of_list);
  if (n) {
    pthread_mutex_lock(&n->m);
    n->a++;
    add(n);
    pthread_mutex_unlock(&n->m);
    n->b = 1; // open
  }
  struct node *t = &table[__VERIFIER_nondet_int() & 3];
  pthread_mutex_lock(&t->m);
  t->a++;
  pthread_mutex_unlock(&t->m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  return 0;
}
