// SUCCESSFUL
#include <limits.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double total;

static void *meter(void *arg)
{
    pthread_mutex_lock(&lock);
    total += 1.5e9;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static int snapshot(void)
{
    int rounded = INT_MAX;
    pthread_mutex_lock(&lock);
    if (total < 2147483648.0)
        rounded = (int)total;
    pthread_mutex_unlock(&lock);
    return rounded;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, meter, NULL);
    pthread_create(&b, NULL, meter, NULL);
    int seen = snapshot();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return seen < 0;
}
