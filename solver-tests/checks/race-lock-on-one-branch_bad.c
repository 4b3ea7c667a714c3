// FAILED race at 13 and 13: only one of the two threads takes the branch that locks
#include <pthread.h>

static int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int careful[2] = {1, 0};

static void *worker(void *arg) {
    int c = *(int *)arg;
    if (c) {
        pthread_mutex_lock(&lock);
    }
    x++;
    if (c) {
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &careful[0]);
    pthread_create(&b, NULL, worker, &careful[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
