// expect: failed
// What a node holds before anybody has set it may be the address of another node, as one that was freed has left it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; } *shown;
int found;
static void *look(void *arg) {
  if (shown->next == shown) found = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  shown = malloc(sizeof *shown);
  pthread_create(&t, 0, look, 0);
  pthread_join(t, 0);
  assert(!found);
}
