// SUCCESSFUL
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int *deferred;
static int total;

static void *count(void *arg)
{
    if (pthread_mutex_trylock(&lock) != 0) {
        deferred = malloc(sizeof *deferred);
        if (deferred == NULL)
            abort();
        *deferred = 1;
        pthread_mutex_lock(&lock);
        total += *deferred;
        free(deferred);
    } else {
        total++;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return total - 2;
}
