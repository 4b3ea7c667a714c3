// FAILED leak at 13: the head of a list is freed and its tail with it forgotten
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
    if (list != NULL)
        free(list);
    list = NULL;
}

int main(void)
{
    push(1);
    push(2);
    push(3);
    clear();
    return 0;
}
