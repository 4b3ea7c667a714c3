// options: --check deadlock
// A consumer that looks whether there is something before it takes the lock to wait for it.
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static _Atomic bool is_ready;

static void *consume(void *unused) {
    (void)unused;
    if (!is_ready) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&filled, &lock);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t consumer;
    pthread_create(&consumer, NULL, consume, NULL);
    is_ready = true;
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    pthread_join(consumer, NULL);
    return 0;
}
