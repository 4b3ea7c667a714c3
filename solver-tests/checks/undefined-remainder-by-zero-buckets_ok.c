// SUCCESSFUL
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct table {
    pthread_mutex_t lock;
    unsigned buckets;
    bool used[4];
};

static struct table table = { .lock = PTHREAD_MUTEX_INITIALIZER, .buckets = 4 };

static void *clear(void *arg)
{
    pthread_mutex_lock(&table.lock);
    for (unsigned i = 0; i < table.buckets; i++)
        table.used[i] = false;
    table.buckets = 1;
    pthread_mutex_unlock(&table.lock);
    return NULL;
}

static void *insert(void *arg)
{
    unsigned hash = 2166136261u ^ 'k';
    pthread_mutex_lock(&table.lock);
    unsigned bucket = hash % table.buckets;
    table.used[bucket] = true;
    pthread_mutex_unlock(&table.lock);
    return NULL;
}

int main(void)
{
    pthread_t c, i;
    pthread_create(&c, NULL, clear, NULL);
    pthread_create(&i, NULL, insert, NULL);
    pthread_join(c, NULL);
    pthread_join(i, NULL);
    return 0;
}
