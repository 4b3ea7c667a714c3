// FAILED misuse at 22: thrd_join of a thread that was detached because it was still busy
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <threads.h>

static atomic_bool done;

static int task(void *arg)
{
    atomic_store(&done, true);
    return 0;
}

int main(void)
{
    thrd_t t;
    thrd_create(&t, task, NULL);
    if (!atomic_load(&done)) {
        thrd_detach(t);
    }
    thrd_join(t, NULL);
    return 0;
}
