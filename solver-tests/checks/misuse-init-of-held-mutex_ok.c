// SUCCESSFUL
#include <pthread.h>
#include <stdio.h>

struct stats {
    pthread_mutex_t lock;
    int hits, misses;
};

static struct stats stats = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };

static void count_hit(struct stats *s)
{
    pthread_mutex_lock(&s->lock);
    s->hits++;
    pthread_mutex_unlock(&s->lock);
}

static void reset(struct stats *s)
{
    pthread_mutex_lock(&s->lock);
    s->hits = 0;
    s->misses = 0;
    pthread_mutex_unlock(&s->lock);
}

int main(void)
{
    count_hit(&stats);
    reset(&stats);
    count_hit(&stats);
    printf("%d %d\n", stats.hits, stats.misses);
    return 0;
}
