// FAILED misuse at 22: two threads wait on one condition with different mutexes
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct channel {
    pthread_mutex_t lock;
    bool open;
};

static struct channel channel[2] = {
    { PTHREAD_MUTEX_INITIALIZER, false },
    { PTHREAD_MUTEX_INITIALIZER, false },
};
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *reader(void *arg)
{
    struct channel *c = arg;
    pthread_mutex_lock(&c->lock);
    while (!c->open)
        pthread_cond_wait(&changed, &c->lock);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, reader, &channel[i]);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&channel[i].lock);
        channel[i].open = true;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&channel[i].lock);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
