// options: --check race
// A counter that two threads increment, one of them without the lock.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int hits;

static void hit(int times) {
    hits += times;
}

static void *careful(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    hit(1);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *careless(void *unused) {
    (void)unused;
    hit(2);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, careful, NULL);
    pthread_create(&other, NULL, careless, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return hits == 3 ? 0 : 1;
}
