#include "list.h"
int sum(struct node *n) {
  int all = 0;
  while (n) {
    all += n->value;
    n = n->next;
  }
  return all;
}
