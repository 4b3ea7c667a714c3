// SUCCESSFUL
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define SLOTS 2

static int owner[SLOTS];
static atomic_int used = 1;

static void *claim(void *arg)
{
    int id = (int)(intptr_t)arg;
    int slot = atomic_fetch_add(&used, 1);
    if (slot < SLOTS) {
        owner[slot] = id;
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, claim, (void *)(intptr_t)1);
    pthread_create(&b, NULL, claim, (void *)(intptr_t)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
