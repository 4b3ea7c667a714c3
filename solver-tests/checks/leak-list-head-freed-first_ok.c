// SUCCESSFUL
#include <stdlib.h>

struct node {
    int key;
    struct node *next;
};

static struct node *list;

static void push(int key)
{
    struct node *n = malloc(sizeof *n);
    if (n == NULL)
        abort();
    n->key = key;
    n->next = list;
    list = n;
}

static void clear(void)
{
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int main(void)
{
    push(1);
    push(2);
    push(3);
    clear();
    return 0;
}
