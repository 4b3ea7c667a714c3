// Two workers, a queue for two tasks: a graceful end does all that was accepted.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include "threadpool.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void task(void *argument) {
    (void)argument;
    pthread_mutex_lock(&lock);
    done++;
    pthread_mutex_unlock(&lock);
}

int main(void) {
    threadpool_t *pool = threadpool_create(2, 2, 0);
    int accepted = 0;
    for (int i = 0; i < 2; i++)
        accepted += threadpool_add(pool, task, NULL, 0) == 0;
    assert(accepted == 2);
    assert(threadpool_destroy(pool, threadpool_graceful) == 0);
    assert(done == 2);
}
