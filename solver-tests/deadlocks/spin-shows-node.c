// A thread shows its node again and again until somebody has marked it: the first iteration reads the node before others can find it.
#include <pthread.h>
#include <stdlib.h>

struct node {
  unsigned char seen;
} *shown, *other;

void *shows(void *arg) {
  struct node *n = calloc(1, sizeof *n);
  while (!n->seen) shown = n;
  return arg;
}

void *shows_other(void *arg) {
  struct node *n = calloc(1, sizeof *n);
  while (!n->seen) other = n; // blocked
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, shows, 0);
  pthread_create(&b, 0, shows_other, 0);
  while (!shown)
    ;
  shown->seen = 1;
  pthread_join(a, 0);
  if (other) other->seen = 1;
  pthread_join(b, 0); // blocked
  return 0;
}
