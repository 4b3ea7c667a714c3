// SUCCESSFUL
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t service;
static bool running = true;
static int served;

static void *serve(void *arg)
{
    served++;
    return NULL;
}

static void *stop(void *arg)
{
    pthread_mutex_lock(&lock);
    bool mine = running;
    running = false;
    pthread_mutex_unlock(&lock);
    if (!mine)
        return NULL;
    pthread_join(service, NULL);
    return NULL;
}

int main(void)
{
    pthread_t helper;
    pthread_create(&service, NULL, serve, NULL);
    pthread_create(&helper, NULL, stop, NULL);
    stop(NULL);
    pthread_join(helper, NULL);
    return 0;
}
