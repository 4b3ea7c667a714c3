// Two threads enqueue without waiting while main tries to dequeue: both nodes come out, each once.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <urcu/wfcqueue.h>

static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct cds_wfcq_node nodes[2];

static void *enqueue(void *node) {
    cds_wfcq_node_init(node);
    cds_wfcq_enqueue(&head, &tail, node);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    cds_wfcq_init(&head, &tail);
    pthread_create(&one, NULL, enqueue, &nodes[0]);
    pthread_create(&other, NULL, enqueue, &nodes[1]);
    struct cds_wfcq_node *first = __cds_wfcq_dequeue_nonblocking(&head, &tail);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    if (!first || first == CDS_WFCQ_WOULDBLOCK)
        first = cds_wfcq_dequeue_blocking(&head, &tail);
    struct cds_wfcq_node *second = cds_wfcq_dequeue_blocking(&head, &tail);
    assert(first == &nodes[0] || first == &nodes[1]);
    assert(second == &nodes[0] || second == &nodes[1]);
    assert(first != second && cds_wfcq_empty(&head, &tail));
    cds_wfcq_destroy(&head, &tail);
}
