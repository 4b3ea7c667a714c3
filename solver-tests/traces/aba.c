// options: --check assert
// A stack whose pop compares the top alone: a node that was freed may come back at its old place.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int in_use;
};

static _Atomic(struct node *) top;

static void push(struct node *below) {
    struct node *node = malloc(sizeof *node);
    node->next = below;
    node->in_use = 0;
    top = node;
}

static void *pop(void *unused) {
    (void)unused;
    struct node *first = top;
    if (!first) {
        return NULL;
    }
    struct node *second = first->next;
    if (atomic_compare_exchange_strong(&top, &first, second)) {
        assert(!top || !top->in_use);
    }
    return NULL;
}

int main(void) {
    pthread_t popper;
    push(NULL);
    struct node *second = top;
    push(second);
    struct node *first = top;
    struct node *expected = first;
    pthread_create(&popper, NULL, pop, NULL);
    // Takes both nodes, keeps the second one and gives the first one back.
    if (atomic_compare_exchange_strong(&top, &expected, NULL)) {
        second->in_use = 1;
        free(first);
        push(NULL);
    }
    pthread_join(popper, NULL);
    return 0;
}
