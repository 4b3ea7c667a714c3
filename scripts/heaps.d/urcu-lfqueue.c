// The RCU queue of liburcu: two threads enqueue a node and dequeue one, under a reader's lock that never lets memory be freed meanwhile:
// each node comes out once, and what is no longer needed is freed at the end.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#define _LGPL_SOURCE
#include <urcu-call-rcu.h>
#include <urcu/rculfqueue.h>

static struct cds_lfq_queue_rcu queue;
static struct rcu_head *later;

static void put_off(struct rcu_head *head, void (*function)(struct rcu_head *head)) {
    head->func = function;
    do
        head->next.next = (struct cds_wfcq_node *)__atomic_load_n(&later, __ATOMIC_SEQ_CST);
    while (!__sync_bool_compare_and_swap(&later, (struct rcu_head *)head->next.next, head));
}

static void *work(void *argument) {
    (void)argument;
    struct cds_lfq_node_rcu *node = malloc(sizeof *node);
    _cds_lfq_node_init_rcu(node);
    _cds_lfq_enqueue_rcu(&queue, node);
    return _cds_lfq_dequeue_rcu(&queue);
}

int main(void) {
    pthread_t one, other;
    void *first, *second;
    _cds_lfq_init_rcu(&queue, put_off);
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&other, NULL, work, NULL);
    pthread_join(one, &first);
    pthread_join(other, &second);
    assert(first && second && first != second);
    assert(!_cds_lfq_dequeue_rcu(&queue));
    free(first);
    free(second);
    while (later) {
        struct rcu_head *head = later;
        later = (struct rcu_head *)head->next.next;
        head->func(head);
    }
    assert(_cds_lfq_destroy_rcu(&queue) == 0);
}
