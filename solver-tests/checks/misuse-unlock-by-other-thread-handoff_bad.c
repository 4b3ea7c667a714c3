// FAILED misuse at 25: unlock by another thread, a mutex is used to hand a slot from producer to consumer
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t empty = PTHREAD_MUTEX_INITIALIZER;
static sem_t filled;
static int slot, total;

static void *producer(void *arg)
{
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&empty);
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
        pthread_mutex_unlock(&empty);
    }
    return NULL;
}

int main(void)
{
    pthread_t p, c;
    sem_init(&filled, 0, 0);
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    sem_destroy(&filled);
    return total == 3 ? 0 : 1;
}
