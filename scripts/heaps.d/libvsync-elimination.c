// A stack where a push and a pop that fail may meet: on a node that is there, one thread pushes, one pops, and main pushes, which may make
// both fail. Each node comes out once.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <vsync/stack/elimination_stack.h>

struct item {
    vstack_node_t node;
    int had;
};

static vstack_t stack;
static struct item *items[3];

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
    for (int i = 0; i < 3; i++)
        items[i] = calloc(1, sizeof *items[i]);
    vstack_init(&stack, lowest);
    vstack_push(&stack, &items[0]->node);
    pthread_create(&one, NULL, push, &items[1]->node);
    pthread_create(&other, NULL, pop, NULL);
    vstack_push(&stack, &items[2]->node);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    note(vstack_pop(&stack));
    note(vstack_pop(&stack));
    assert(items[0]->had + items[1]->had + items[2]->had == 3 && !vstack_pop(&stack));
}
