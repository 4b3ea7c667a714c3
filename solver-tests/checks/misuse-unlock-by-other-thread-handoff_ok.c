// SUCCESSFUL
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t empty;
static sem_t filled;
static int slot, total;

static void *producer(void *arg)
{
    for (int i = 1; i <= 2; i++) {
        sem_wait(&empty);
        slot = i;
        sem_post(&filled);
    }
    return NULL;
}

static void *consumer(void *arg)
{
    for (int i = 1; i <= 2; i++) {
        sem_wait(&filled);
        total += slot;
        sem_post(&empty);
    }
    return NULL;
}

int main(void)
{
    pthread_t p, c;
    sem_init(&filled, 0, 0);
    sem_init(&empty, 0, 1);
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    sem_destroy(&filled);
    sem_destroy(&empty);
    return total == 3 ? 0 : 1;
}
