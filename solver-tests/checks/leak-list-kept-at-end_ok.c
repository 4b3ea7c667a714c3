// SUCCESSFUL
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};

static struct node *head;

static void push(struct node *fresh, int value) {
  fresh->value = value;
  fresh->next = head;
  head = fresh;
}

int main(void) {
  struct node *fresh;
  for (int i = 0; i < 2; i++) {
    fresh = malloc(sizeof *fresh);
    if (!fresh)
      return 1;
    push(fresh, i);
  }
  return 0;
}
