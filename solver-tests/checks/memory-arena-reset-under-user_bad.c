// FAILED memory at 20: use after free across threads, an arena is reset while a piece of it is in use
#include <stdlib.h>
#include <threads.h>

struct arena {
    mtx_t lock;
    char *chunk;
    size_t used;
};

static struct arena arena;

static int user(void *arg)
{
    mtx_lock(&arena.lock);
    char *piece = arena.chunk + arena.used;
    arena.used += 4;
    mtx_unlock(&arena.lock);
    mtx_lock(&arena.lock);
    piece[0] = 'a';
    mtx_unlock(&arena.lock);
    return 0;
}

static int resetter(void *arg)
{
    mtx_lock(&arena.lock);
    free(arena.chunk);
    arena.chunk = malloc(16);
    if (arena.chunk == NULL)
        abort();
    arena.used = 0;
    mtx_unlock(&arena.lock);
    return 0;
}

int main(void)
{
    thrd_t u, r;
    mtx_init(&arena.lock, mtx_plain);
    arena.chunk = malloc(16);
    if (arena.chunk == NULL)
        return 1;
    thrd_create(&u, user, NULL);
    thrd_create(&r, resetter, NULL);
    thrd_join(u, NULL);
    thrd_join(r, NULL);
    free(arena.chunk);
    mtx_destroy(&arena.lock);
    return 0;
}
