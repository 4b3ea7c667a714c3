// SUCCESSFUL
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static sem_t done;
static atomic_bool finished;
static int result;

static void *compute(void *arg)
{
    result = 42;
    atomic_store(&finished, true);
    sem_post(&done);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_attr_t attr;
    sem_init(&done, 0, 0);
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &attr, compute, NULL);
    pthread_attr_destroy(&attr);
    if (!atomic_load(&finished))
        sem_wait(&done);
    return result == 42 ? 0 : 1;
}
