// SUCCESSFUL
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t tickets;
static int entered;

static void *guest(void *arg)
{
    sem_wait(&tickets);
    entered++;
    return NULL;
}

int main(void)
{
    pthread_t t;
    sem_init(&tickets, 0, 0);
    pthread_create(&t, NULL, guest, NULL);
    sem_post(&tickets);
    pthread_join(t, NULL);
    sem_destroy(&tickets);
    return entered - 1;
}
