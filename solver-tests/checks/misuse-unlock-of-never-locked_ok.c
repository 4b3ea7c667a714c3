// SUCCESSFUL
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int written;

static int write_record(int size)
{
    int rc = -1;
    if (size <= 0)
        return rc;
    pthread_mutex_lock(&lock);
    written += size;
    rc = 0;
    pthread_mutex_unlock(&lock);
    return rc;
}

int main(void)
{
    int first = write_record(0);
    int second = write_record(10);
    printf("%d %d %d\n", first, second, written);
    return 0;
}
