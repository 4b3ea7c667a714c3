// A queue without locks for any number of producers (after Michael and Scott): a list of nodes, the first of which is empty.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int item;
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) first, last;

static struct node *make(int item) {
    struct node *node = malloc(sizeof *node);
    node->item = item;
    atomic_init(&node->next, NULL);
    return node;
}

static void enqueue(int item) {
    struct node *node = make(item);
#ifdef CARELESS
    struct node *old = atomic_load(&last);
    atomic_store(&old->next, node);
    atomic_store(&last, node);
    return;
#endif
    for (;;) {
        struct node *end = atomic_load(&last);
        struct node *next = atomic_load(&end->next);
        if (next) {
            // Somebody has linked a node and not moved `last` yet.
            atomic_compare_exchange_strong(&last, &end, next);
        } else if (atomic_compare_exchange_strong(&end->next, &next, node)) {
            atomic_compare_exchange_strong(&last, &end, node);
            return;
        }
    }
}

// One consumer alone.
static int dequeue(void) {
    struct node *empty = atomic_load(&first);
    struct node *next = atomic_load(&empty->next);
    if (!next) {
        return 0;
    }
    int item = next->item;
    atomic_store(&first, next);
#ifdef FREE
    free(empty);
#endif
    return item;
}

static void *produce(void *item) {
    enqueue(*(int *)item);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    int items[] = {1, 2};
    struct node *empty = make(0);
    atomic_init(&first, empty);
    atomic_init(&last, empty);
    pthread_create(&one, NULL, produce, &items[0]);
    pthread_create(&other, NULL, produce, &items[1]);
    int early = dequeue();
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    int sum = early;
    for (int item = dequeue(); item; item = dequeue()) {
        sum += item;
    }
    assert(sum == 3);
    return 0;
}
