// FAILED misuse at 15: signal of a destroyed condition, it is sent after the mutex was released
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t finished;
static bool done;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    done = true;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&finished);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_cond_init(&finished, NULL);
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    while (!done)
        pthread_cond_wait(&finished, &lock);
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(&finished);
    pthread_join(t, NULL);
    return 0;
}
