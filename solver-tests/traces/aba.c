// options: --check assert
// A stack whose pop compares the top alone: a node that was freed may come back at its old place. (Nodes are freed while nobody reads.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int in_use;
};

static _Atomic(struct node *) top;
static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;

static void push(struct node *below) {
    struct node *node = malloc(sizeof *node);
    node->next = below;
    node->in_use = 0;
    top = node;
}

static void *pop(void *unused) {
    (void)unused;
    pthread_mutex_lock(&reading);
    struct node *first = top;
    struct node *second = first ? first->next : NULL;
    pthread_mutex_unlock(&reading);
    if (first && atomic_compare_exchange_strong(&top, &first, second)) {
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
        pthread_mutex_lock(&reading);
        free(first);
        pthread_mutex_unlock(&reading);
        push(NULL);
    }
    pthread_join(popper, NULL);
    return 0;
}
