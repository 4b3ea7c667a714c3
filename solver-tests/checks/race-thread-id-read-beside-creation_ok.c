// SUCCESSFUL
#include <pthread.h>

static pthread_t worker;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_t copy;

static void *work(void *arg) {
    return arg;
}

static void *observe(void *arg) {
    pthread_mutex_lock(&lock);
    copy = worker;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t observer;
    pthread_create(&observer, NULL, observe, NULL);
    pthread_mutex_lock(&lock);
    pthread_create(&worker, NULL, work, NULL);
    pthread_mutex_unlock(&lock);
    pthread_join(observer, NULL);
    pthread_join(worker, NULL);
    return 0;
}
