// The same with a lock.
#include <assert.h>
#include <pthread.h>

static int visitors;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *visit(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    visitors++;
    pthread_mutex_unlock(&lock);
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
