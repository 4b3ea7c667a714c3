// Another mutex is taken and released while the one beside the data is held.
// says make:heap: both hold the mutex beside it
#include <pthread.h>
#include <stdlib.h>
struct node { pthread_mutex_t m; int a; } *one;
pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
int x;
void count(void) {
  pthread_mutex_lock(&other);
  x++;
  pthread_mutex_unlock(&other);
}
struct node *make(void) {
  struct node *n = malloc(sizeof *n);
  pthread_mutex_init(&n->m, 0);
  return n;
}
void *f(void *p) {
  struct node *n = one;
  pthread_mutex_lock(&n->m);
  count();
  n->a++;
  pthread_mutex_unlock(&n->m);
  return 0;
}
int main(void) {
  pthread_t t;
  make();
  one = make();
  pthread_create(&t, 0, f, 0);
  f(0);
  return 0;
}
