// FAILED misuse at 16: a thread-specific key is used after it was deleted
#include <pthread.h>
#include <stddef.h>

static pthread_key_t key;
static int module_state = 1;

static void module_start(void)
{
    pthread_key_create(&key, NULL);
    pthread_setspecific(key, &module_state);
}

static int *module_lookup(void)
{
    return pthread_getspecific(key);
}

static void module_stop(void)
{
    pthread_key_delete(key);
}

int main(void)
{
    module_start();
    module_stop();
    int *state = module_lookup();
    return state == NULL;
}
