// SUCCESSFUL
#include <limits.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int head = INT_MAX - 1;
static int tail = INT_MAX - 1;

static void *wrap_head(void *arg)
{
    pthread_mutex_lock(&lock);
    head = -3;
    tail = -3;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *measure(void *arg)
{
    int *length = arg;
    pthread_mutex_lock(&lock);
    *length = tail - head;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t w, m;
    int length = 1;
    pthread_create(&w, NULL, wrap_head, NULL);
    pthread_create(&m, NULL, measure, &length);
    pthread_join(w, NULL);
    pthread_join(m, NULL);
    return length;
}
