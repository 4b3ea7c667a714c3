// Main has joined everybody, and goes through a list in which threads have made a ring.
#include <pthread.h>

struct node {
  struct node *next;
} first, *list;

void *pushes(void *arg) {
  first.next = list;
  list = &first;
  return arg;
}

int main(void) {
  pthread_t a, b;
  int length = 0;
  pthread_create(&a, 0, pushes, 0);
  pthread_create(&b, 0, pushes, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  for (struct node *n = list; n; n = n->next) // blocked
    length |= 1;
  return 0;
}
