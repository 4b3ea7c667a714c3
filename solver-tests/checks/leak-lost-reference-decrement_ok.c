// SUCCESSFUL
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct blob {
    atomic_int refs;
    char data[4];
};

static void *release(void *arg)
{
    struct blob *b = arg;
    int left = atomic_fetch_sub(&b->refs, 1) - 1;
    if (left == 0)
        free(b);
    return NULL;
}

int main(void)
{
    pthread_t x, y;
    struct blob *b = malloc(sizeof *b);
    if (b == NULL)
        return 1;
    atomic_init(&b->refs, 2);
    pthread_create(&x, NULL, release, b);
    pthread_create(&y, NULL, release, b);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
    return 0;
}
