// SUCCESSFUL
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct pool {
    pthread_mutex_t lock;
    int jobs;
    atomic_int refs;
};

static void *worker(void *arg)
{
    struct pool *p = arg;
    pthread_mutex_lock(&p->lock);
    p->jobs++;
    pthread_mutex_unlock(&p->lock);
    int left = atomic_fetch_sub(&p->refs, 1) - 1;
    if (left == 0)
        free(p);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct pool *p = malloc(sizeof *p);
    if (p == NULL)
        return 1;
    pthread_mutex_init(&p->lock, NULL);
    p->jobs = 0;
    atomic_init(&p->refs, 2);
    pthread_create(&t, NULL, worker, p);
    if (atomic_fetch_sub(&p->refs, 1) == 1)
        free(p);
    pthread_join(t, NULL);
    return 0;
}
