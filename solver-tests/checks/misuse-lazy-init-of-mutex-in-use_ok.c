// SUCCESSFUL
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int users;

static void make_lock(void)
{
    pthread_mutex_init(&lock, NULL);
}

static void *enter(void *arg)
{
    pthread_once(&once, make_lock);
    pthread_mutex_lock(&lock);
    users++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_mutex_destroy(&lock);
    return users == 0;
}
