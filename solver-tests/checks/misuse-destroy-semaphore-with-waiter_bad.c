// FAILED misuse at 11 or 22: destroy of a semaphore at which a thread waits, or wait at the destroyed semaphore
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
    sem_destroy(&tickets);
    pthread_join(t, NULL);
    return entered - 1;
}
