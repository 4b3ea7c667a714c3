// Michael and Scott's queue: two threads enqueue a number and dequeue one. Each number comes out once; nodes are freed at the end.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <vsync/queue/unbounded_queue_lf.h>

static vqueue_ub_t queue;
static vqueue_ub_node_t *kept[2];

static void drop(vqueue_ub_node_t *node, void *argument) {
    (void)argument;
    free(node);
}

static void keep(vqueue_ub_node_t *node, void *kept) {
    *(vqueue_ub_node_t **)kept = node;
}

static void *work(void *number) {
    vqueue_ub_enq(&queue, malloc(sizeof(vqueue_ub_node_t)), number);
    return vqueue_ub_deq(&queue, keep, &kept[(vuintptr_t)number - 1]);
}

int main(void) {
    pthread_t one, other;
    void *first, *second;
    vqueue_ub_init(&queue);
    pthread_create(&one, NULL, work, (void *)1);
    pthread_create(&other, NULL, work, (void *)2);
    pthread_join(one, &first);
    pthread_join(other, &second);
    assert(first && second && (vuintptr_t)first + (vuintptr_t)second == 3);
    assert(vqueue_ub_empty(&queue));
    free(kept[0]);
    free(kept[1]);
    vqueue_ub_destroy(&queue, drop, NULL);
}
