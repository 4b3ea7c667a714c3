// FAILED memory at 28: free of a global object, shutdown frees the built-in configuration when no reload came before
#include <pthread.h>
#include <stdlib.h>

struct config {
    int port;
};

static struct config builtin = { 80 };
static struct config *current = &builtin;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *reload(void *arg)
{
    struct config *fresh = malloc(sizeof *fresh);
    if (fresh == NULL)
        abort();
    fresh->port = 8080;
    pthread_mutex_lock(&lock);
    current = fresh;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *reset(void *arg)
{
    pthread_mutex_lock(&lock);
    free(current);
    current = &builtin;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reload, NULL);
    pthread_create(&b, NULL, reset, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    if (current != &builtin)
        free(current);
    return 0;
}
