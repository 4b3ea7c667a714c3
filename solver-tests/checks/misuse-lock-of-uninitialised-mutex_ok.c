// SUCCESSFUL
#include <pthread.h>
#include <stdio.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static void open_account(struct account *a, int balance)
{
    pthread_mutex_init(&a->lock, NULL);
    a->balance = balance;
}

static void deposit(struct account *a, int amount)
{
    pthread_mutex_lock(&a->lock);
    a->balance += amount;
    pthread_mutex_unlock(&a->lock);
}

int main(void)
{
    struct account savings;
    open_account(&savings, 10);
    deposit(&savings, 5);
    printf("%d\n", savings.balance);
    pthread_mutex_destroy(&savings.lock);
    return 0;
}
