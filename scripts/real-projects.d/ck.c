// Two producers and a consumer on a ring with four places: what comes out went in, in any order, each once.
#include <assert.h>
#include <pthread.h>
#include <ck_ring.h>

static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];
static int values[2];

static void *produce(void *value) {
    assert(ck_ring_enqueue_mpmc(&ring, buffer, value));
    return NULL;
}

int main(void) {
    pthread_t one, other;
    void *first, *second;
    ck_ring_init(&ring, 4);
    pthread_create(&one, NULL, produce, &values[0]);
    pthread_create(&other, NULL, produce, &values[1]);
    int early = ck_ring_dequeue_mpmc(&ring, buffer, &first);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    if (!early)
        assert(ck_ring_dequeue_mpmc(&ring, buffer, &first));
    assert(ck_ring_dequeue_mpmc(&ring, buffer, &second));
    assert(first != second && !ck_ring_dequeue_mpmc(&ring, buffer, &second));
}
