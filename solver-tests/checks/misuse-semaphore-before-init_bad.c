// FAILED misuse at 12: semaphore used before sem_init, the thread is started too early
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t filled;
static int value;

static void *producer(void *arg)
{
    value = 3;
    sem_post(&filled);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    sem_init(&filled, 0, 0);
    sem_wait(&filled);
    int seen = value;
    pthread_join(t, NULL);
    sem_destroy(&filled);
    return seen - 3;
}
