// FAILED misuse at 16 or 32: destroy of a mutex that a thread still uses in its condition wait
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool waiting, ready;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&lock);
    waiting = true;
    pthread_cond_broadcast(&changed);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_init(&lock, NULL);
    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&lock);
    while (!waiting)
        pthread_cond_wait(&changed, &lock);
    ready = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    pthread_mutex_destroy(&lock);
    pthread_join(t, NULL);
    return 0;
}
