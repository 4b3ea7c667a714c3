// SUCCESSFUL
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int route = 1;

static void *update(void *arg)
{
    if (pthread_rwlock_trywrlock(&lock) == 0) {
        route = 2;
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

static void *lookup(void *arg)
{
    int *seen = arg;
    pthread_rwlock_rdlock(&lock);
    *seen = route;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t u, l;
    int seen = 0;
    pthread_create(&u, NULL, update, NULL);
    pthread_create(&l, NULL, lookup, &seen);
    pthread_join(u, NULL);
    pthread_join(l, NULL);
    return seen == 0;
}
