// FAILED leak at 14: a configuration is replaced without releasing the one that another thread has put there
#include <pthread.h>
#include <stdlib.h>

struct config {
    int level;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct config *current;

static void *reload(void *arg)
{
    struct config *fresh = malloc(sizeof *fresh);
    if (fresh == NULL)
        abort();
    fresh->level = 2;
    pthread_mutex_lock(&lock);
    current = fresh;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *drop(void *arg)
{
    pthread_mutex_lock(&lock);
    free(current);
    current = NULL;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b, d;
    pthread_create(&a, NULL, reload, NULL);
    pthread_create(&b, NULL, reload, NULL);
    pthread_create(&d, NULL, drop, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(d, NULL);
    free(current);
    return 0;
}
