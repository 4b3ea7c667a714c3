// FAILED misuse at 14: init of a mutex that another thread has initialised and may hold
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock;
static atomic_bool made;
static int users;

static void *enter(void *arg)
{
    if (!atomic_load(&made)) {
        pthread_mutex_init(&lock, NULL);
        atomic_store(&made, true);
    }
    pthread_mutex_lock(&lock);
    users++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_mutex_destroy(&lock);
    return users == 0;
}
