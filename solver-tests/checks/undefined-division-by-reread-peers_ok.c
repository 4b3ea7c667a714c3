// SUCCESSFUL
#include <stdatomic.h>
#include <stddef.h>
#include <threads.h>

static atomic_int peers = 1;

static int leave(void *arg)
{
    atomic_fetch_sub(&peers, 1);
    return 0;
}

static int announce(void *arg)
{
    int *rate = arg;
    int now = atomic_load(&peers);
    if (now > 0)
        *rate = 60 / now;
    return 0;
}

int main(void)
{
    thrd_t l, a;
    int rate = 0;
    thrd_create(&l, leave, NULL);
    thrd_create(&a, announce, &rate);
    thrd_join(l, NULL);
    thrd_join(a, NULL);
    return rate == 0 || rate == 60 ? 0 : 1;
}
