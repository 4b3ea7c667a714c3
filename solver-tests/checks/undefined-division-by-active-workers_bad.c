// FAILED undefined at 21: division by zero, a race-free counter of active workers may have reached zero
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int active = 2;
static int share;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    active--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *balancer(void *arg)
{
    int budget = 100;
    pthread_mutex_lock(&lock);
    share = budget / active;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_create(&c, NULL, balancer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return share > 100;
}
