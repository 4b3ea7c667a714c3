// Two visitors are counted without a lock.
#include <assert.h>
#include <pthread.h>

static int visitors;

static void *visit(void *unused) {
    (void)unused;
    visitors++;
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, visit, NULL);
    pthread_create(&other, NULL, visit, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(visitors == 2);
    return 0;
}
