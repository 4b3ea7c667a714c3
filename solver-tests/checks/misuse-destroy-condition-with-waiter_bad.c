// FAILED misuse at 26: destroy of a condition while a thread waits on it
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake;
static bool stop;

static void *sleeper(void *arg)
{
    pthread_mutex_lock(&lock);
    while (!stop)
        pthread_cond_wait(&wake, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_cond_init(&wake, NULL);
    pthread_create(&t, NULL, sleeper, NULL);
    pthread_mutex_lock(&lock);
    stop = true;
    pthread_cond_destroy(&wake);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
