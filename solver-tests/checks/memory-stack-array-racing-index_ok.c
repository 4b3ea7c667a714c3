// SUCCESSFUL
#include <pthread.h>
#include <stdbool.h>

#define ROOM 2

struct batch {
    pthread_mutex_t lock;
    int *items;
    int count;
};

static bool has_room(struct batch *b)
{
    pthread_mutex_lock(&b->lock);
    bool room = b->count < ROOM;
    pthread_mutex_unlock(&b->lock);
    return room;
}

static void *producer(void *arg)
{
    struct batch *b = arg;
    if (!has_room(b))
        return NULL;
    pthread_mutex_lock(&b->lock);
    if (b->count < ROOM)
        b->items[b->count++] = 7;
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

int main(void)
{
    int items[ROOM] = { 5, 0 };
    struct batch b = { .items = items, .count = 1 };
    pthread_t p, q;
    pthread_mutex_init(&b.lock, NULL);
    pthread_create(&p, NULL, producer, &b);
    pthread_create(&q, NULL, producer, &b);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    pthread_mutex_destroy(&b.lock);
    return 0;
}
