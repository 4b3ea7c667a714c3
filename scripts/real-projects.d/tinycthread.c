// The C11 threads of a library, not of Selvedge: two add under a mutex, main waits for both on a condition.
#include <assert.h>
#include <stddef.h>
#include "tinycthread.h"

static mtx_t lock;
static cnd_t changed;
static int sum;

static int add(void *number) {
    mtx_lock(&lock);
    sum += *(int *)number;
    cnd_signal(&changed);
    mtx_unlock(&lock);
    return *(int *)number;
}

int main(void) {
    thrd_t one, other;
    int numbers[2] = {3, 4}, result[2];
    assert(mtx_init(&lock, mtx_plain) == thrd_success && cnd_init(&changed) == thrd_success);
    assert(thrd_create(&one, add, &numbers[0]) == thrd_success);
    assert(thrd_create(&other, add, &numbers[1]) == thrd_success);
    mtx_lock(&lock);
    while (sum != 7)
        cnd_wait(&changed, &lock);
    assert(sum == 7);
    mtx_unlock(&lock);
    assert(thrd_join(one, &result[0]) == thrd_success && thrd_join(other, &result[1]) == thrd_success);
    assert(result[0] == 3 && result[1] == 4);
    cnd_destroy(&changed);
    mtx_destroy(&lock);
}
