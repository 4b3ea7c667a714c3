// FAILED race at 16 and 16: the lock taken is that of the paying account, the balance changed is that of account 2
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account bank[3];

static void *pay(void *arg) {
    int from = *(int *)arg;
    int to = 2;
    pthread_mutex_lock(&bank[from].lock);
    bank[from].balance -= 1;
    bank[to].balance += 1;
    pthread_mutex_unlock(&bank[from].lock);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    int id[2] = {0, 1};
    for (int i = 0; i < 3; i++) {
        pthread_mutex_init(&bank[i].lock, NULL);
        bank[i].balance = 5;
    }
    for (int i = 0; i < 2; i++) {
        pthread_create(&t[i], NULL, pay, &id[i]);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(t[i], NULL);
    }
    for (int i = 0; i < 3; i++) {
        pthread_mutex_destroy(&bank[i].lock);
    }
    return 0;
}
