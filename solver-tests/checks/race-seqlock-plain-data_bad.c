// FAILED race at 11 and 19: the sequence number is atomic but the data it guards are plain and read during the writing
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

static atomic_uint seq;
static int left, right;

static void *writer(void *arg) {
    atomic_fetch_add(&seq, 1);
    left = 8;
    right = 8;
    atomic_fetch_add(&seq, 1);
    return NULL;
}

static void *reader(void *arg) {
    unsigned int before = atomic_load(&seq);
    int l = left;
    int r = right;
    unsigned int after = atomic_load(&seq);
    if (before == after && before % 2 == 0) {
        assert(l == r);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
