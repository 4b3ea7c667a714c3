// A node is shown while its maker holds its mutex, and never gives it back.
#include <pthread.h>
#include <stdlib.h>

struct node {
  pthread_mutex_t m;
} *shown;

void *makes(void *arg) {
  struct node *n = malloc(sizeof *n);
  pthread_mutex_init(&n->m, 0);
  pthread_mutex_lock(&n->m);
  shown = n;
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, makes, 0);
  struct node *n = shown;
  if (n) pthread_mutex_lock(&n->m); // blocked
  pthread_join(a, 0);
  return 0;
}
