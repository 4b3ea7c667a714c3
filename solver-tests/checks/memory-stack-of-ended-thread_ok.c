// SUCCESSFUL
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *observer;

static void *subscriber(void *arg)
{
    int notified = 0;
    pthread_mutex_lock(&lock);
    observer = &notified;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    observer = NULL;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, subscriber, NULL);
    pthread_mutex_lock(&lock);
    if (observer != NULL)
        *observer = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
