struct node {
  int value;
  struct node *next;
};
typedef int (*visit)(struct node *);
int sum(struct node *n);
