// FAILED memory at 16: overrun of a global array, slot counter is read first and incremented later
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define SLOTS 2

static int owner[SLOTS];
static atomic_int used = 1;

static void *claim(void *arg)
{
    int id = (int)(intptr_t)arg;
    if (atomic_load(&used) < SLOTS) {
        int slot = atomic_fetch_add(&used, 1);
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
