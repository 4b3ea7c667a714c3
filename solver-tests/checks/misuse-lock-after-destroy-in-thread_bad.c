// FAILED misuse at 10 or 21: destroy before the join, the thread then holds the mutex or locks it afterwards
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t log_lock;
static int lines;

static void *logger(void *arg)
{
    pthread_mutex_lock(&log_lock);
    lines++;
    pthread_mutex_unlock(&log_lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_init(&log_lock, NULL);
    pthread_create(&t, NULL, logger, NULL);
    pthread_mutex_destroy(&log_lock);
    pthread_join(t, NULL);
    return lines - 1;
}
