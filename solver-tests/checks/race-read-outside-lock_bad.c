// FAILED race at 11 and 21: the writer holds the lock, the reader looks at the level after it has released it
#include <pthread.h>
#include <assert.h>

static int level;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *filler(void *arg) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        level += 2;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *gauge(void *arg) {
    int seen;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    seen = level;
    assert(seen >= 0 && seen <= 4);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, filler, NULL);
    pthread_create(&b, NULL, gauge, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
