// Two workers, two jobs: when the pool has been waited for, both are done.
#include <assert.h>
#include <pthread.h>
#include "thpool.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;
static void job(void *argument) { pthread_mutex_lock(&lock), done++, pthread_mutex_unlock(&lock); }
int main(void) {
    threadpool pool = thpool_init(2);
    thpool_add_work(pool, job, NULL);
    thpool_add_work(pool, job, NULL);
    thpool_wait(pool);
    assert(done == 2);
    thpool_destroy(pool);
}
