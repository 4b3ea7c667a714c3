// The pointer has moved on since the mutex was taken.
#include <pthread.h>
#include <stdlib.h>
struct node { pthread_mutex_t m; int c; struct node *next; } *first;
void *f(void *p) {
  struct node *n = first, *locked = n;
  pthread_mutex_lock(&n->m);
  while (n) {
    n->c++; // open
    n = n->next;
  }
  pthread_mutex_unlock(&locked->m);
  return 0;
}
int main(void) {
  pthread_t t;
  first = malloc(sizeof *first);
  first->next = malloc(sizeof *first);
  first->next->next = 0;
  pthread_create(&t, 0, f, 0);
  f(0);
  return 0;
}
