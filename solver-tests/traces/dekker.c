// options: --check assert --memory-model tso
// Dekker's entry protocol without fences.
#include <assert.h>
#include <pthread.h>

static volatile int wants_one, wants_other, inside;

static void *one(void *unused) {
    (void)unused;
    wants_one = 1;
    if (!wants_other) {
        inside++;
        assert(inside == 1);
        inside--;
    }
    return NULL;
}

static void *other(void *unused) {
    (void)unused;
    wants_other = 1;
    if (!wants_one) {
        inside++;
        assert(inside == 1);
        inside--;
    }
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, one, NULL);
    pthread_create(&second, NULL, other, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
