// SUCCESSFUL
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool threaded;
static int entries;

static void *open_shared(void *arg)
{
    atomic_store(&threaded, true);
    return NULL;
}

static void add_entry(void)
{
    bool locked = atomic_load(&threaded);
    if (locked)
        pthread_mutex_lock(&lock);
    entries++;
    if (locked)
        pthread_mutex_unlock(&lock);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, open_shared, NULL);
    add_entry();
    pthread_join(t, NULL);
    return entries - 1;
}
