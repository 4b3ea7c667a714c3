// A queue without locks for one producer and one consumer: a ring in which each side moves an index of its own.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef PUBLISH
#define PUBLISH memory_order_relaxed
#endif

enum { SIZE = 2, ITEMS = 3 };

static int slots[SIZE];
static atomic_uint head, tail;

static bool enqueue(int item) {
    unsigned end = atomic_load_explicit(&tail, memory_order_relaxed);
    if (end - atomic_load_explicit(&head, memory_order_acquire) == SIZE) {
        return false;
    }
    slots[end % SIZE] = item;
    atomic_store_explicit(&tail, end + 1, PUBLISH);
    return true;
}

static bool dequeue(int *item) {
    unsigned start = atomic_load_explicit(&head, memory_order_relaxed);
    if (start == atomic_load_explicit(&tail, memory_order_acquire)) {
        return false;
    }
    *item = slots[start % SIZE];
    atomic_store_explicit(&head, start + 1, memory_order_release);
    return true;
}

static void *produce(void *unused) {
    (void)unused;
    for (int item = 1; item <= ITEMS;) {
        if (enqueue(item)) {
            item++;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, NULL, produce, NULL);
    for (int expected = 1; expected <= ITEMS;) {
        int item;
        if (dequeue(&item)) {
            assert(item == expected);
            expected++;
        }
    }
    pthread_join(producer, NULL);
    return 0;
}
