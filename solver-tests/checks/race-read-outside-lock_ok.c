// SUCCESSFUL
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
    seen = level;
    pthread_mutex_unlock(&lock);
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
