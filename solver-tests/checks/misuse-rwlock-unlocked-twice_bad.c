// FAILED misuse at 19: a read-write lock is unlocked by the callee and again by the caller
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int limit = 4;

static int read_limit(void)
{
    pthread_rwlock_rdlock(&lock);
    int value = limit;
    pthread_rwlock_unlock(&lock);
    return value;
}

static void raise_limit(void)
{
    int value = read_limit();
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    limit = value + 1;
    pthread_rwlock_unlock(&lock);
}

int main(void)
{
    raise_limit();
    int value = read_limit();
    printf("%d\n", value);
    return 0;
}
