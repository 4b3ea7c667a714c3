// Ten thousand equal threads draw numbers with a compare-and-exchange; nobody draws a number that was given out before.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

#define THREADS 10000

_Bool given, taken;

static void *draw(void *arg)
{
    _Bool mine;
#ifdef BROKEN
    mine = !given;
    given = 1;
#else
    mine = __sync_bool_compare_and_swap(&given, 0, 1);
#endif
    if (mine) {
        __VERIFIER_atomic_begin();
        assert(!taken);
        taken = 1;
        __VERIFIER_atomic_end();
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread, 0, draw, 0);
    return 0;
}
