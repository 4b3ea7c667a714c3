// Two producers of a byte each and a consumer: what is consumed was written before.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/cdefs.h>
#include <sys/types.h>
#include "ringbuf.h"

static ringbuf_t *ring;
static unsigned char buffer[4];

static void *produce(void *argument) {
    ringbuf_worker_t *worker = ringbuf_register(ring, (unsigned)(uintptr_t)argument);
    ssize_t at = ringbuf_acquire(ring, worker, 1);
    if (at != -1) {
        buffer[at] = 1;
        ringbuf_produce(ring, worker);
    }
    ringbuf_unregister(ring, worker);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    size_t size, from, bytes;
    ringbuf_get_sizes(2, &size, NULL);
    ring = malloc(size);
    ringbuf_setup(ring, 2, sizeof buffer);
    pthread_create(&one, NULL, produce, (void *)0);
    pthread_create(&other, NULL, produce, (void *)1);
    bytes = ringbuf_consume(ring, &from);
    for (size_t i = 0; i < bytes; i++)
        assert(buffer[from + i] == 1);
    if (bytes)
        ringbuf_release(ring, bytes);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    free(ring);
}
