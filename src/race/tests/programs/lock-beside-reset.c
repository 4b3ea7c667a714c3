// The mutex of the structure is initialised when all know it.
#include <pthread.h>
#include <stdlib.h>
struct node { pthread_mutex_t m; int a; } *list;
void *f(void *p) {
  struct node *n = malloc(sizeof *n);
  list = n; // open
  pthread_mutex_init(&n->m, 0);
  n = list; // open
  pthread_mutex_lock(&n->m);
  n->a++; // open
  pthread_mutex_unlock(&n->m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  return 0;
}
