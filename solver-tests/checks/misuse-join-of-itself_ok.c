// SUCCESSFUL
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t ended;
static pthread_t service;
static bool stopping;

static void stop_service(void)
{
    pthread_mutex_lock(&lock);
    bool first = !stopping;
    stopping = true;
    pthread_mutex_unlock(&lock);
    if (!first)
        return;
    if (pthread_equal(service, pthread_self()))
        pthread_detach(service);
    else
        pthread_join(service, NULL);
}

static void *serve(void *arg)
{
    stop_service();
    sem_post(&ended);
    return NULL;
}

int main(void)
{
    sem_init(&ended, 0, 0);
    pthread_mutex_lock(&lock);
    pthread_create(&service, NULL, serve, NULL);
    pthread_mutex_unlock(&lock);
    stop_service();
    sem_wait(&ended);
    return 0;
}
