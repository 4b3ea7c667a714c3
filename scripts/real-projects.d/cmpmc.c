// Two producers and a consumer on a queue with two places: what comes out went in, and each value comes once.
#include <assert.h>
#include <pthread.h>
#include <cmpmc.h>

static mpmc_bounded_queue_t queue;
static int values[2];

static void *produce(void *value) {
    while (cmpmc_enq(&queue, value) < 0) {
    }
    return NULL;
}

int main(void) {
    pthread_t one, other;
    assert(cmpmc_init(&queue, 2) == 0);
    pthread_create(&one, NULL, produce, &values[0]);
    pthread_create(&other, NULL, produce, &values[1]);
    int *first, *second;
    while (!(first = cmpmc_deq(&queue))) {
    }
    while (!(second = cmpmc_deq(&queue))) {
    }
    assert(first != second);
    assert(first == &values[0] || first == &values[1]);
    assert(second == &values[0] || second == &values[1]);
    assert(!cmpmc_deq(&queue));
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    cmpmc_destroy(&queue);
}
