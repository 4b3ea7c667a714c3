// SUCCESSFUL
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int version;

static void *refresh(void *arg)
{
    if (pthread_mutex_trylock(&lock) == 0) {
        version++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, refresh, NULL);
    pthread_create(&b, NULL, refresh, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return version == 0;
}
