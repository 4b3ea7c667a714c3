// FAILED undefined at 25: an indeterminate member of a malloced slot decides a branch when the consumer comes before the producer
#include <pthread.h>
#include <stdlib.h>

struct slot {
    pthread_mutex_t lock;
    int full;
    int value;
};

static void *producer(void *arg)
{
    struct slot *s = arg;
    pthread_mutex_lock(&s->lock);
    s->value = 5;
    s->full = 1;
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static void *consumer(void *arg)
{
    struct slot *s = arg;
    pthread_mutex_lock(&s->lock);
    if (s->full == 1)
        s->full = 0;
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

int main(void)
{
    pthread_t p, c;
    struct slot *s = malloc(sizeof *s);
    if (s == NULL)
        return 1;
    pthread_mutex_init(&s->lock, NULL);
    pthread_create(&p, NULL, producer, s);
    pthread_create(&c, NULL, consumer, s);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    pthread_mutex_destroy(&s->lock);
    free(s);
    return 0;
}
