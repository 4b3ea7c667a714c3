// SUCCESSFUL
#include <stdlib.h>

struct node {
    int key;
    struct node *next;
};

static struct node *push(struct node *list, int key)
{
    struct node *n = malloc(sizeof *n);
    if (n == NULL)
        abort();
    n->key = key;
    n->next = list;
    return n;
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 3; i++)
        list = push(list, i);
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
