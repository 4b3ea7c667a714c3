// A function initialises an object that its caller has just allocated, and not one that all know.
// says f:heap: not shared
#include <pthread.h>
#include <stdlib.h>
struct node { int a, b; } *list;
void init(struct node *n) { n->a = 1; }
void change(struct node *n) {
  n->b = 1; // open
}
void *f(void *p) {
  struct node *n = malloc(sizeof *n);
  init(n);
  change(n);
  list = n; // open
  change(n);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  return list->a; // open
}
