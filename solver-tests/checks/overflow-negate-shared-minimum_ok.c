// SUCCESSFUL
#include <limits.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int lowest = -40;

static void *reset(void *arg)
{
    pthread_mutex_lock(&lock);
    lowest = INT_MIN;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t r;
    int span = 0;
    pthread_create(&r, NULL, reset, NULL);
    pthread_mutex_lock(&lock);
    if (lowest != INT_MIN)
        span = -lowest;
    pthread_mutex_unlock(&lock);
    pthread_join(r, NULL);
    return span != 0 && span != 40;
}
