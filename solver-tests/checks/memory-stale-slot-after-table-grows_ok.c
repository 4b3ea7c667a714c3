// SUCCESSFUL
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *table;
static size_t slots = 2;

static void *grow(void *arg)
{
    pthread_mutex_lock(&lock);
    int *bigger = realloc(table, 64 * slots * sizeof *table);
    if (bigger == NULL)
        abort();
    table = bigger;
    slots = 64 * slots;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *update(void *arg)
{
    pthread_mutex_lock(&lock);
    size_t slot = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    table[slot] = 9;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t g, u;
    table = calloc(slots, sizeof *table);
    if (table == NULL)
        return 1;
    pthread_create(&g, NULL, grow, NULL);
    pthread_create(&u, NULL, update, NULL);
    pthread_join(g, NULL);
    pthread_join(u, NULL);
    free(table);
    return 0;
}
