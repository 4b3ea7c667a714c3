// SUCCESSFUL
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *shared_table;

static void *need_table(void *arg)
{
    pthread_mutex_lock(&lock);
    int *table = shared_table;
    pthread_mutex_unlock(&lock);
    if (table != NULL)
        return NULL;
    table = calloc(4, sizeof *table);
    if (table == NULL)
        abort();
    pthread_mutex_lock(&lock);
    if (shared_table != NULL)
        free(table);
    else
        shared_table = table;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, need_table, NULL);
    pthread_create(&b, NULL, need_table, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(shared_table);
    return 0;
}
