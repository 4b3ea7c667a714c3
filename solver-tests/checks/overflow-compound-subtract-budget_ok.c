// SUCCESSFUL
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int budget = INT_MIN + 15;
static atomic_int refused;

static void *consume(void *arg)
{
    pthread_mutex_lock(&lock);
    if (budget >= INT_MIN + 10)
        budget -= 10;
    else
        atomic_fetch_add(&refused, 1);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *refill(void *arg)
{
    pthread_mutex_lock(&lock);
    budget = 0;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b, r;
    pthread_create(&a, NULL, consume, NULL);
    pthread_create(&b, NULL, consume, NULL);
    pthread_create(&r, NULL, refill, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(r, NULL);
    return atomic_load(&refused) > 1;
}
