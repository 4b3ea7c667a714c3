// Visitors without number take turns at a desk.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t desk = PTHREAD_MUTEX_INITIALIZER;
_Bool at_desk;

static void *visit(void *arg)
{
#ifndef BROKEN
    pthread_mutex_lock(&desk);
#endif
    assert(!at_desk);
    at_desk = 1;
    at_desk = 0;
#ifndef BROKEN
    pthread_mutex_unlock(&desk);
#endif
    return arg;
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        pthread_t visitor;
        pthread_create(&visitor, 0, visit, 0);
    }
    return 0;
}
