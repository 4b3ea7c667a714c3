// FAILED misuse at 9: unlock of a default mutex that is not held; an error-checking mutex may be probed like this
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock;

static void release_if_held(int *refused)
{
    if (pthread_mutex_unlock(&lock) != 0)
        (*refused)++;
}

int main(void)
{
    int refused = 0;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_NORMAL);
    pthread_mutex_init(&lock, &attr);
    pthread_mutexattr_destroy(&attr);
    pthread_mutex_lock(&lock);
    release_if_held(&refused);
    release_if_held(&refused);
    pthread_mutex_destroy(&lock);
    printf("%d\n", refused);
    return 0;
}
