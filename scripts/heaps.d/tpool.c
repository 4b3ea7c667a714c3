// A pool of two threads computes two numbers: each future has its own, and the pool ends.
#define main tpool_main
#include <tpool.c>
#undef main
#include <assert.h>

static void *twice(void *argument) {
    *(int *)argument *= 2;
    return argument;
}

int main(void) {
    int numbers[2] = {1, 2};
    tpool_future_t futures[2];
    tpool_t pool = tpool_create(2);
    futures[0] = tpool_apply(pool, twice, &numbers[0]);
    futures[1] = tpool_apply(pool, twice, &numbers[1]);
    assert(tpool_future_get(futures[0], 0) == &numbers[0] && numbers[0] == 2);
    assert(tpool_future_get(futures[1], 0) == &numbers[1] && numbers[1] == 4);
    tpool_future_destroy(futures[0]);
    tpool_future_destroy(futures[1]);
    tpool_join(pool);
}
