// SUCCESSFUL
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
static int level, seen;

static void *waiter(void *arg)
{
    __VERIFIER_atomic_begin();
    seen = level;
    __VERIFIER_assume(seen == 5);
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    __VERIFIER_atomic_begin();
    level = 1;
    __VERIFIER_atomic_end();
    return 0;
}
