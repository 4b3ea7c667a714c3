// FAILED overflow at 12: 1LL << 63, the bit number is handed out under a lock
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_bit = 62;
static unsigned long long granted;

static void *acquire(void *arg)
{
    pthread_mutex_lock(&lock);
    granted |= (unsigned long long)(1LL << next_bit);
    if (next_bit < 63)
        next_bit++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *reset(void *arg)
{
    pthread_mutex_lock(&lock);
    next_bit = 0;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b, r;
    pthread_create(&a, NULL, acquire, NULL);
    pthread_create(&b, NULL, acquire, NULL);
    pthread_create(&r, NULL, reset, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(r, NULL);
    return granted == 0;
}
