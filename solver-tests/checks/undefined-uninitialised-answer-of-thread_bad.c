// FAILED undefined at 36: an indeterminate local decides a branch, the thread that lost the quota sets no answer
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int quota = 1;

static void *ask(void *arg)
{
    int *granted = arg;
    pthread_mutex_lock(&lock);
    if (quota > 0) {
        quota--;
        *granted = 1;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *use_up(void *arg)
{
    pthread_mutex_lock(&lock);
    quota = 0;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int granted;
    pthread_create(&a, NULL, ask, &granted);
    pthread_create(&b, NULL, use_up, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    if (granted == 1)
        quota = 1;
    return 0;
}
