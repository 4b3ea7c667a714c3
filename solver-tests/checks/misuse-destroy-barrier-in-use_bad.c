// FAILED misuse at 12 or 22: destroy of a barrier at which threads wait, or wait at the destroyed barrier
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t phase;
static int part[2];

static void *sum_part(void *arg)
{
    int *mine = arg;
    *mine = 1;
    pthread_barrier_wait(&phase);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&phase, NULL, 2);
    pthread_create(&a, NULL, sum_part, &part[0]);
    pthread_create(&b, NULL, sum_part, &part[1]);
    pthread_barrier_destroy(&phase);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return part[0] + part[1] - 2;
}
