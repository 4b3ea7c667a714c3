// expect: failed
// A list with the exclusive or of both neighbours in each node: one neighbour is lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
struct node { _Atomic uintptr_t link; int value; };
static struct node a = {0, 1}, b = {0, 2}, c = {0, 3};
static void *join(void *end) {
  struct node *n = end;
  b.link = b.link ^ (uintptr_t)n;
  n->link = n->link ^ (uintptr_t)&b;
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, join, &a);
  pthread_create(&t, 0, join, &c);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(a.link == (uintptr_t)&b && c.link == a.link);
  struct node *after = (struct node *)((uintptr_t)&a ^ b.link);
  assert(after == &c);
}
