// Two producers push a number each while main, the consumer, takes what is there: both numbers come out, each once.
#define main mpsc_main
#include <mpsc.c>
#undef main

static queue_p queue;

static void *produce(void *number) {
    assert(Queue.push(queue, number) == QUEUE_SUCCESS);
    return NULL;
}

static int take(void) {
    char number;
    if (Queue.hasFront(queue) != QUEUE_TRUE)
        return 0;
    Queue.front(queue, &number);
    Queue.pop(queue);
    return number;
}

int main(void) {
    pthread_t one, other;
    char numbers[2] = {1, 2};
    queue = Queue.create(sizeof(char));
    pthread_create(&one, NULL, produce, &numbers[0]);
    pthread_create(&other, NULL, produce, &numbers[1]);
    int sum = take();
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    sum += take() + take();
    assert(sum == 3);
    assert(Queue.hasFront(queue) == QUEUE_FALSE);
    Queue.destroy(queue);
}
