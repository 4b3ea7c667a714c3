// FAILED overflow at 12: addition to an atomically loaded INT_MAX; an atomic read-modify-write of a signed object wraps silently
#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>
#include <threads.h>

static atomic_int generation = INT_MAX - 1;

static int bump(void *arg)
{
    int now = atomic_load(&generation);
    atomic_store(&generation, now + 1);
    return 0;
}

int main(void)
{
    thrd_t a, b;
    thrd_create(&a, bump, NULL);
    thrd_create(&b, bump, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    return atomic_load(&generation) == 0;
}
