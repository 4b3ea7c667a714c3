// SUCCESSFUL
#include <limits.h>
#include <stddef.h>
#include <threads.h>

static mtx_t lock;
static int credit = INT_MIN;

static int top_up(void *arg)
{
    mtx_lock(&lock);
    credit = 0;
    mtx_unlock(&lock);
    return 0;
}

static int spend(void *arg)
{
    mtx_lock(&lock);
    if (credit > INT_MIN)
        credit--;
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t t, s;
    mtx_init(&lock, mtx_plain);
    thrd_create(&t, top_up, NULL);
    thrd_create(&s, spend, NULL);
    thrd_join(t, NULL);
    thrd_join(s, NULL);
    mtx_destroy(&lock);
    return 0;
}
