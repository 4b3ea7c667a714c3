// Two producers enqueue a number each while main dequeues both: it gets each once.
#define main mpmc_main
#include <mpmc.c>
#undef main
#include <assert.h>

static mpmc_t queue;
static handle_t handles[3];
static void *taken;

static void *produce(void *number) {
    mpmc_enqueue(&queue, &handles[(long)number], number);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    mpmc_init_queue(&queue, 1, 1, 8);
    for (int i = 0; i < 3; i++)
        handles[i].push = handles[i].pop = queue.init_node;
    pthread_create(&one, NULL, produce, (void *)1);
    pthread_create(&other, NULL, produce, (void *)2);
    void *first = mpmc_dequeue(&queue, &handles[0]);
    void *second = mpmc_dequeue(&queue, &handles[0]);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert((long)first + (long)second == 3 && first != second);
}
