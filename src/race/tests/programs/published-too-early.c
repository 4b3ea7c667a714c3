// The address gets into memory before the object is written, by way of a function or a copy.
#include <pthread.h>
#include <stdlib.h>
struct node { int a, b, c, d; } *one, *two, *three, *four;
extern int __VERIFIER_nondet_int(void);
void keep(struct node *n) {
  two = n; // open
}
void *f(void *a) {
  struct node *n = malloc(sizeof *n), *o = malloc(sizeof *o), *p = malloc(sizeof *p), *q = malloc(sizeof *q), *r;
  one = n; // open
  n->a = 1; // open
  keep(o);
  o->b = 1; // open
  r = __VERIFIER_nondet_int() ? p : q;
  three = r; // open
  p->c = 1; // open
  q->d = 1; // open
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int sum = one->a; // open
  sum += two->b; // open
  sum += three->c; // open
  sum += three->d; // open
  return sum;
}
