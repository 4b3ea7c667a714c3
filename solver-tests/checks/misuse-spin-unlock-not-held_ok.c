// SUCCESSFUL
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_spinlock_t lock;
static atomic_int stock = 1;
static int sold;

static void *buy(void *arg)
{
    if (atomic_load(&stock) == 0)
        return NULL;
    pthread_spin_lock(&lock);
    if (atomic_load(&stock) > 0) {
        atomic_fetch_sub(&stock, 1);
        sold++;
    }
    pthread_spin_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, NULL, buy, NULL);
    pthread_create(&b, NULL, buy, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_spin_destroy(&lock);
    return sold - 1;
}
