// expect: complete
// A list with the exclusive or of both neighbours in each node; two threads link its ends.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
struct node { _Atomic uintptr_t link; int value; };
static struct node a = {0, 1}, b = {0, 2}, c = {0, 3};
static void *join(void *end) {
  struct node *n = end;
  atomic_fetch_xor(&b.link, (uintptr_t)n);
  atomic_fetch_xor(&n->link, (uintptr_t)&b);
  return 0;
}
static int sum(struct node *from) {
  uintptr_t before = 0;
  int total = 0;
  for (int i = 0; i < 3; i++) {
    total = 10 * total + from->value;
    uintptr_t after = before ^ from->link;
    before = (uintptr_t)from;
    from = (struct node *)after;
  }
  return from ? -1 : total;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, join, &a);
  pthread_create(&t, 0, join, &c);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(sum(&a) == 123 && sum(&c) == 321);
}
