// FAILED misuse at 16: condition wait without holding the mutex
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *consumer(void *arg)
{
    pthread_mutex_lock(&lock);
    bool empty = items == 0;
    pthread_mutex_unlock(&lock);
    if (empty)
        pthread_cond_wait(&filled, &lock);
    else
        pthread_mutex_lock(&lock);
    items--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *producer(void *arg)
{
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t c, p;
    pthread_create(&c, NULL, consumer, NULL);
    pthread_create(&p, NULL, producer, NULL);
    pthread_join(c, NULL);
    pthread_join(p, NULL);
    return 0;
}
