// The C11 threads of a library, not of Selvedge: one adds under a mutex, main waits for it on a condition.
#include <assert.h>
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
