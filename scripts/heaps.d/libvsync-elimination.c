// A stack where a push and a pop that fail may meet: one thread pushes, one pops, one does both. Each node comes out at most once, and
// all are there in the end.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <vsync/stack/elimination_stack.h>

struct item {
    vstack_node_t node;
    int had;
};

static vstack_t stack;
static struct item items[2];

static vuint32_t lowest(vuint32_t min, vuint32_t max) {
    (void)max;
    return min;
}

static void note(vstack_node_t *node) {
    if (node)
        assert(((struct item *)node)->had++ == 0);
}

static void *push(void *item) {
    vstack_push(&stack, item);
    return NULL;
}

static void *pop(void *argument) {
    (void)argument;
    note(vstack_pop(&stack));
    return NULL;
}

int main(void) {
    pthread_t one, other;
    vstack_init(&stack, lowest);
    pthread_create(&one, NULL, push, &items[0].node);
    pthread_create(&other, NULL, pop, NULL);
    vstack_push(&stack, &items[1].node);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    note(vstack_pop(&stack));
    note(vstack_pop(&stack));
    assert(items[0].had == 1 && items[1].had == 1);
}
