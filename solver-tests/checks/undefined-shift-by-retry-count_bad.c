// FAILED undefined at 16: shift by the width, the number of retries that two threads share under a lock
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned step = 0;
static unsigned delay[2];

static void *retry(void *arg)
{
    unsigned *slot = arg;
    pthread_mutex_lock(&lock);
    step += 16;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    *slot = 1u << step;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, retry, &delay[0]);
    pthread_mutex_lock(&lock);
    step += 16;
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    return delay[0] == 0;
}
