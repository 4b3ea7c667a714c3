// FAILED overflow at 12: addition, only both deposits together exceed the range
#include <limits.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = INT_MAX - 150;

static void *deposit(void *arg)
{
    pthread_mutex_lock(&lock);
    balance = balance + 100;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *close_account(void *arg)
{
    pthread_mutex_lock(&lock);
    balance = 0;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, deposit, NULL);
    pthread_create(&b, NULL, deposit, NULL);
    pthread_create(&c, NULL, close_account, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return balance < 0;
}
