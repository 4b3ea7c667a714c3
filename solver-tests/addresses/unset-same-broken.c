// expect: failed
// What a node holds before anybody has set it may be the address that somebody sets later, and that one alone.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int x, stored;
struct node { int *to; } *node;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *set(void *arg) {
  pthread_mutex_lock(&m);
  stored = 1;
  node->to = &x;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  node = malloc(sizeof *node);
  pthread_create(&t, 0, set, 0);
  pthread_mutex_lock(&m);
  if (node->to == &x) assert(stored);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
