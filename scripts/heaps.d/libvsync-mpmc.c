// A bounded queue of allocated numbers with places for two: two threads enqueue one while main dequeues. Each number comes out once.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <vsync/queue/bounded_mpmc.h>

static bounded_mpmc_t queue;
static void *places[2];

static void *produce(void *number) {
    int *made = malloc(sizeof *made);
    *made = *(int *)number;
    while (bounded_mpmc_enq(&queue, made) == QUEUE_BOUNDED_AGAIN)
        ;
    return NULL;
}

static int take(void) {
    void *number;
    if (bounded_mpmc_deq(&queue, &number) != QUEUE_BOUNDED_OK)
        return 0;
    int value = *(int *)number;
    free(number);
    return value;
}

int main(void) {
    pthread_t one, other;
    int numbers[2] = {1, 2};
    bounded_mpmc_init(&queue, places, 2);
    pthread_create(&one, NULL, produce, &numbers[0]);
    pthread_create(&other, NULL, produce, &numbers[1]);
    int sum = take();
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    sum += take();
    sum += take();
    assert(sum == 3);
}
