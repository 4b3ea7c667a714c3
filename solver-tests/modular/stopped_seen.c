// violated
// The worker never goes on after its write, and main sees it.
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_assume(int);

int x;

void *worker(void *arg)
{
    x = 1;
    __VERIFIER_assume(0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    assert(x == 0);
    return 0;
}
