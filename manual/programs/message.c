// A message and a flag that says that it is there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef STORED
#define STORED memory_order_relaxed
#endif

static int message;
static atomic_int is_there;

static void *send(void *unused) {
    (void)unused;
    message = 42;
    atomic_store_explicit(&is_there, 1, STORED);
    return NULL;
}

int main(void) {
    pthread_t sender;
    pthread_create(&sender, NULL, send, NULL);
    if (atomic_load_explicit(&is_there, memory_order_acquire)) {
        assert(message == 42);
    }
    pthread_join(sender, NULL);
    return 0;
}
