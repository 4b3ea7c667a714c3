// SUCCESSFUL
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef void (*generic)(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int calls;

static void plain(void) { calls++; }
static void weighted(int weight) { calls += weight; }

static bool takes_weight;
static generic target = plain;

static void *registrar(void *arg)
{
    pthread_mutex_lock(&lock);
    takes_weight = true;
    target = (generic)weighted;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *dispatcher(void *arg)
{
    pthread_mutex_lock(&lock);
    if (takes_weight)
        ((void (*)(int))target)(2);
    else
        target();
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t r, d;
    pthread_create(&r, NULL, registrar, NULL);
    pthread_create(&d, NULL, dispatcher, NULL);
    pthread_join(r, NULL);
    pthread_join(d, NULL);
    return calls == 0;
}
