// SUCCESSFUL
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock;
static atomic_bool finished;
static int jobs;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    jobs++;
    pthread_mutex_unlock(&lock);
    atomic_store(&finished, true);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_init(&lock, NULL);
    pthread_create(&t, NULL, worker, NULL);
    bool early = atomic_load(&finished);
    if (early)
        pthread_mutex_destroy(&lock);
    pthread_join(t, NULL);
    if (!early)
        pthread_mutex_destroy(&lock);
    return 0;
}
