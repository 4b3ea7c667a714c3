// A function that initialises an object gets it twice, and makes it known by the one way.
#include <pthread.h>
#include <stdlib.h>
struct node { int a; } *list;
void init(struct node *n, struct node *same) {
  list = same; // open
  n->a = 1; // open
}
void *f(void *p) {
  struct node *n = malloc(sizeof *n);
  init(n, n);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  return list->a; // open
}
