// FAILED misuse at 14: destroy of a mutex that the thread itself still holds
#include <pthread.h>
#include <stdlib.h>

struct counter {
    pthread_mutex_t lock;
    int value;
};

static int close_counter(struct counter *c)
{
    pthread_mutex_lock(&c->lock);
    int value = c->value;
    pthread_mutex_destroy(&c->lock);
    return value;
}

int main(void)
{
    struct counter *c = malloc(sizeof *c);
    if (c == NULL)
        return 1;
    pthread_mutex_init(&c->lock, NULL);
    c->value = 0;
    int value = close_counter(c);
    free(c);
    return value;
}
