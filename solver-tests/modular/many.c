// violated
// A hundred threads, each of which is joined for certain: the joins are of a loop of main that comes after their creation.
#include <assert.h>
#include <pthread.h>

enum { THREADS = 100 };
int x, y[THREADS];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *add(void *arg)
{
    pthread_mutex_lock(&m);
    assert(x != 1);
    x++;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
