// FAILED memory at 15: null pointer write in the thread that is first to need the table, calloc is not checked
// options: --malloc-may-fail
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *table;

static void *store(void *arg)
{
    int *slot = arg;
    pthread_mutex_lock(&lock);
    if (table == NULL)
        table = calloc(2, sizeof *table);
    table[*slot] = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int first = 0, second = 1;
    pthread_create(&a, NULL, store, &first);
    pthread_create(&b, NULL, store, &second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(table);
    return 0;
}
