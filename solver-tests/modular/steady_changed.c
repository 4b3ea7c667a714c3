// violated
// The worker has read x once; main changes it before it is read again.
#include <assert.h>
#include <pthread.h>

int x, y;

void *worker(void *arg)
{
    y = x;
    y = y + x;
    assert(y == 0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    x = 1;
    return 0;
}
