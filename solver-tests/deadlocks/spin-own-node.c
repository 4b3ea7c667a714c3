// A thread waits for a mark at a node that nobody else can find, unless an input says so.
#include <pthread.h>
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);

struct node {
  unsigned char seen;
} *shown;

void *waits(void *arg) {
  struct node *n = calloc(1, sizeof *n);
  if (__VERIFIER_nondet_bool()) shown = n;
  while (!n->seen) // blocked
    ;
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, waits, 0);
  while (!shown) // blocked
    ;
  shown->seen = 1;
  pthread_join(a, 0);
  return 0;
}
