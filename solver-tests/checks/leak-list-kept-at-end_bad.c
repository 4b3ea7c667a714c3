// FAILED leak at 20: the head is set again before the new node points to the old list
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};

static struct node *head;

static void push(struct node *fresh, int value) {
  fresh->value = value;
  head = fresh;
  fresh->next = head;
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
