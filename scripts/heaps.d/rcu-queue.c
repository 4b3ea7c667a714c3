// Two workers push and pop on a queue whose nodes are freed when both were quiescent: each number comes out once.
#define main rcu_queue_main
#include <rcu_queue.c>
#undef main

static void *work(void *number) {
    struct qsbr_local local;
    struct qsbr_queue_node *node;
    void *value;
    qsbr_init_local(&local);
    qsbr_queue_push(&queue, alloc_node(), number);
    assert(qsbr_queue_pop(&queue, &node, &value));
    qsbr_free(&qsbr_global, &local, &node->qsbr_entry);
    free_qsbr_nodes(qsbr_quiescent(&qsbr_global, &local));
    return value;
}

int main(void) {
    pthread_t one, other;
    void *first, *second;
    struct qsbr_queue_node *node;
    struct qsbr_entry *free1, *free2;
    qsbr_init_global(&qsbr_global, 2);
    qsbr_queue_init(&queue, alloc_node());
    pthread_create(&one, NULL, work, (void *)1);
    pthread_create(&other, NULL, work, (void *)2);
    pthread_join(one, &first);
    pthread_join(other, &second);
    assert((uintptr_t)first + (uintptr_t)second == 3);
    qsbr_queue_fini(&queue, &node);
    free_node(node);
    qsbr_fini_global(&qsbr_global, &free1, &free2);
    free_qsbr_nodes(free1);
    free_qsbr_nodes(free2);
}
