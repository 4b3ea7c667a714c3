// options: --check deadlock
// Two accounts, each with a lock, and transfers in both directions.
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account current = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, int amount) {
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *save(void *unused) {
    (void)unused;
    transfer(&current, &savings, 10);
    return NULL;
}

int main(void) {
    pthread_t saver;
    pthread_create(&saver, NULL, save, NULL);
    transfer(&savings, &current, 20);
    pthread_join(saver, NULL);
    return 0;
}
