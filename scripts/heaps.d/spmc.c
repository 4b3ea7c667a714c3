// One producer and two consumers on a queue whose first part has two places and that grows: each number comes out once.
#define main spmc_main
#include <spmc.c>
#undef main

static spmc_ref_t queue;

static void *consume(void *argument) {
    uintptr_t number;
    (void)argument;
    spmc_dequeue(queue, &number);
    return (void *)number;
}

int main(void) {
    pthread_t one, other;
    void *first, *second;
    queue = spmc_new(1, NULL);
    pthread_create(&one, NULL, consume, NULL);
    pthread_create(&other, NULL, consume, NULL);
    for (uintptr_t number = 1; number <= 3; number++)
        assert(spmc_enqueue(queue, number));
    pthread_join(one, &first);
    pthread_join(other, &second);
    assert(first != second && (uintptr_t)first + (uintptr_t)second == 3);
    spmc_delete(queue);
}
