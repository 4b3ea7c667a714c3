// SUCCESSFUL
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static int withdraw(int amount)
{
    int rc = 0;
    pthread_mutex_lock(&lock);
    if (balance < amount) {
        rc = -1;
    } else {
        balance -= amount;
    }
    pthread_mutex_unlock(&lock);
    return rc;
}

static void *customer(void *arg)
{
    int *amount = arg;
    if (withdraw(*amount) != 0)
        *amount = 0;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int large = 80, small = 30;
    pthread_create(&a, NULL, customer, &large);
    pthread_create(&b, NULL, customer, &small);
    pthread_mutex_lock(&lock);
    balance += 50;
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return balance < 0;
}
