// FAILED race at 13 and 20: a thread that runs already reads the variable that gets the id of the next one
#include <pthread.h>

static pthread_t worker;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_t copy;

static void *work(void *arg) {
    return arg;
}

static void *observe(void *arg) {
    copy = worker;
    return arg;
}

int main(void) {
    pthread_t observer;
    pthread_create(&observer, NULL, observe, NULL);
    pthread_create(&worker, NULL, work, NULL);
    pthread_join(observer, NULL);
    pthread_join(worker, NULL);
    return 0;
}
