// FAILED misuse at 20: unlock of a spin lock that the thread does not hold, the fast path jumps behind the lock
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_spinlock_t lock;
static atomic_int stock = 1;
static int sold;

static void *buy(void *arg)
{
    if (atomic_load(&stock) == 0)
        goto out;
    pthread_spin_lock(&lock);
    if (atomic_load(&stock) > 0) {
        atomic_fetch_sub(&stock, 1);
        sold++;
    }
out:
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
