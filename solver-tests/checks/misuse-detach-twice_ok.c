// SUCCESSFUL
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static sem_t done;
static atomic_bool detached;

static void detach_once(pthread_t t)
{
    if (!atomic_exchange(&detached, true))
        pthread_detach(t);
}

static void *background(void *arg)
{
    detach_once(pthread_self());
    sem_post(&done);
    return NULL;
}

int main(void)
{
    pthread_t t;
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, background, NULL);
    detach_once(t);
    sem_wait(&done);
    return 0;
}
