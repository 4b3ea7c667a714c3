// SUCCESSFUL
#include <pthread.h>
#include <stdio.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static int audit(struct account *a)
{
    pthread_mutex_lock(&a->lock);
    int balance = a->balance;
    pthread_mutex_unlock(&a->lock);
    return balance;
}

int main(void)
{
    struct account original;
    pthread_mutex_init(&original.lock, NULL);
    original.balance = 12;
    struct account snapshot;
    pthread_mutex_init(&snapshot.lock, NULL);
    snapshot.balance = original.balance;
    int balance = audit(&snapshot);
    printf("%d\n", balance);
    pthread_mutex_destroy(&snapshot.lock);
    pthread_mutex_destroy(&original.lock);
    return 0;
}
