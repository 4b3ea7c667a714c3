// Two threads enqueue a number and dequeue one, if it can be seen yet, with hazard pointers; main takes the rest. Each number comes out
// once.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <lfq.h>

static struct lfq_ctx queue;

static void *work(void *number) {
    assert(lfq_enqueue(&queue, number) == 0);
    return lfq_dequeue(&queue);
}

int main(void) {
    pthread_t one, other;
    void *first, *second;
    assert(lfq_init(&queue, 2) == 0);
    pthread_create(&one, NULL, work, (void *)1);
    pthread_create(&other, NULL, work, (void *)2);
    pthread_join(one, &first);
    pthread_join(other, &second);
    long sum = (long)first + (long)second;
    assert(!first || first != second);
    sum += (long)lfq_dequeue(&queue);
    sum += (long)lfq_dequeue(&queue);
    assert(sum == 3);
    assert(lfq_release(&queue) == 0);
}
