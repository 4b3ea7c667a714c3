// SUCCESSFUL
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct shard {
    pthread_mutex_t lock;
    int load;
};

static struct shard *grow(struct shard *old, int count)
{
    struct shard *fresh = malloc(((size_t)count + 1) * sizeof *fresh);
    if (fresh == NULL)
        abort();
    for (int i = 0; i <= count; i++) {
        pthread_mutex_init(&fresh[i].lock, NULL);
        fresh[i].load = i < count ? old[i].load : 0;
    }
    for (int i = 0; i < count; i++)
        pthread_mutex_destroy(&old[i].lock);
    free(old);
    return fresh;
}

int main(void)
{
    struct shard *shard = malloc(sizeof *shard);
    if (shard == NULL)
        return 1;
    pthread_mutex_init(&shard[0].lock, NULL);
    shard[0].load = 0;
    shard = grow(shard, 1);
    pthread_mutex_lock(&shard[0].lock);
    shard[0].load++;
    pthread_mutex_unlock(&shard[0].lock);
    for (int i = 0; i < 2; i++)
        pthread_mutex_destroy(&shard[i].lock);
    free(shard);
    return 0;
}
