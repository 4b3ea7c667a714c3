// expect: complete
// As in the broken twin, but somebody sets it before anybody else may look.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; } *shown;
int found;
static void *look(void *arg) {
  if (shown && shown->next == shown) found = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, look, 0);
  struct node *node = malloc(sizeof *node);
  node->next = 0;
  shown = node;
  pthread_join(t, 0);
  assert(!found);
}
