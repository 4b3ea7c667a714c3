// SUCCESSFUL
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *producer(void *arg) {
    data = 42;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return NULL;
}

static void *consumer(void *arg) {
    for (int i = 0; i < 3; i++) {
        if (atomic_load_explicit(&flag, memory_order_acquire)) {
            assert(data == 42);
            break;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
