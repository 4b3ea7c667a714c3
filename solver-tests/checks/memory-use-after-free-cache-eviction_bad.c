// FAILED memory at 21: use after free across threads, a cache entry is evicted between lookup and use
#include <pthread.h>
#include <stdlib.h>

struct entry {
    int hits;
    int pins;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *cached;

static void *reader(void *arg)
{
    pthread_mutex_lock(&lock);
    struct entry *e = cached;
    pthread_mutex_unlock(&lock);
    if (e == NULL)
        return NULL;
    pthread_mutex_lock(&lock);
    e->hits++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *evictor(void *arg)
{
    pthread_mutex_lock(&lock);
    struct entry *e = cached;
    cached = NULL;
    if (e->pins == 0)
        free(e);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t r, v;
    cached = calloc(1, sizeof *cached);
    if (cached == NULL)
        return 1;
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&v, NULL, evictor, NULL);
    pthread_join(r, NULL);
    pthread_join(v, NULL);
    return 0;
}
