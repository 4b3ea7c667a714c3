// Two producers enqueue a number each while main, the consumer, dequeues one, if there is one: both come out, each once.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <vsync/queue/mpsc.h>

static vmpsc_t queue;

static void *produce(void *number) {
    vmpsc_enq(&queue, malloc(sizeof(vmpsc_node_t)), number);
    return NULL;
}

static vuintptr_t take(void) {
    vmpsc_node_t *old;
    void *number = vmpsc_deq(&queue, &old);
    free(old);
    return (vuintptr_t)number;
}

int main(void) {
    pthread_t one, other;
    vmpsc_init(&queue);
    pthread_create(&one, NULL, produce, (void *)1);
    pthread_create(&other, NULL, produce, (void *)2);
    vuintptr_t sum = take();
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    sum += take();
    sum += take();
    assert(sum == 3);
}
