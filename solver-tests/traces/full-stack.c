// options: --check assert
// A stack of limited size with a flag that says that there is something in it.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define SIZE 2

static int items[SIZE];
static int count;
static bool has_items;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool push(int item) {
    if (count == SIZE) {
        return false;
    }
    items[count++] = item;
    return true;
}

static bool pop(int *item) {
    if (count == 0) {
        return false;
    }
    *item = items[--count];
    return true;
}

static void *produce(void *unused) {
    (void)unused;
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&lock);
        bool fits = push(10 + i);
        assert(fits);
        has_items = true;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *consume(void *unused) {
    (void)unused;
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&lock);
        if (has_items) {
            int item;
            bool is_taken = pop(&item);
            assert(is_taken);
        }
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t producer, consumer;
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    return 0;
}
