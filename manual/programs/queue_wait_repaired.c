// A queue of one place. Who waits is woken by whoever fills or empties the place, with one condition for both and a broadcast.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool is_full;
static int item;

static void put(int value) {
    pthread_mutex_lock(&lock);
    while (is_full) {
        pthread_cond_wait(&changed, &lock);
    }
    item = value;
    is_full = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static int take(void) {
    pthread_mutex_lock(&lock);
    while (!is_full) {
        pthread_cond_wait(&changed, &lock);
    }
    is_full = false;
    int value = item;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return value;
}

static void *consume(void *unused) {
    (void)unused;
    assert(take() == 7);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, consume, NULL);
    pthread_create(&other, NULL, consume, NULL);
    put(7);
    put(7);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
