// The mutex of another object of the heap protects nothing.
#include <pthread.h>
#include <stdlib.h>
struct node { pthread_mutex_t m; int *x; };
int x;
void *f(void *a) {
  struct node *n = malloc(sizeof *n);
  pthread_mutex_init(&n->m, 0);
  pthread_mutex_lock(&n->m);
  x++; // open
  pthread_mutex_unlock(&n->m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  return 0;
}
