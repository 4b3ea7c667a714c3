// SUCCESSFUL
#include <stdbool.h>
#include <stddef.h>
#include <threads.h>

static mtx_t lock;
static cnd_t ready;
static bool set;

static bool is_set(void)
{
    mtx_lock(&lock);
    bool now = set;
    mtx_unlock(&lock);
    return now;
}

static int setter(void *arg)
{
    mtx_lock(&lock);
    set = true;
    cnd_signal(&ready);
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_init(&lock, mtx_plain);
    cnd_init(&ready);
    thrd_create(&t, setter, NULL);
    if (!is_set()) {
        mtx_lock(&lock);
        while (!set)
            cnd_wait(&ready, &lock);
        mtx_unlock(&lock);
    }
    thrd_join(t, NULL);
    cnd_destroy(&ready);
    mtx_destroy(&lock);
    return 0;
}
