// FAILED memory at 25: a thread-local object is read through a published pointer after its thread has ended
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int progress;
static int *published;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    progress = 10;
    published = &progress;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int seen = 0;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    if (published != NULL)
        seen = *published;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return seen == 0 || seen == 10 ? 0 : 1;
}
