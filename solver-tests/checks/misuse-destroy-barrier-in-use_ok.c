// SUCCESSFUL
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
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_barrier_destroy(&phase);
    return part[0] + part[1] - 2;
}
