// FAILED misuse at 14: C11 mutex unlocked by a thread that does not hold it, thrd_busy is taken for success
#include <stdatomic.h>
#include <stddef.h>
#include <threads.h>

static mtx_t lock;
static atomic_int attempts;

static int refresh(void *arg)
{
    if (mtx_trylock(&lock) == thrd_error)
        return 0;
    atomic_fetch_add(&attempts, 1);
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t a, b;
    mtx_init(&lock, mtx_plain);
    thrd_create(&a, refresh, NULL);
    thrd_create(&b, refresh, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    mtx_destroy(&lock);
    return atomic_load(&attempts) == 0;
}
