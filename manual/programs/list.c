// A list without a main: what is behind the node that a caller gives?
#include <stddef.h>

struct node {
    int key;
    struct node *next;
};

struct list {
    struct node *first;
    int length;
};

static void remove_first(struct list *list) {
    list->first = list->first->next;
    list->length--;
}
