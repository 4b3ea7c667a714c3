// SUCCESSFUL
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

static atomic_bool cancelled;

static void *query(void *arg)
{
    int *answer = malloc(sizeof *answer);
    if (answer == NULL)
        abort();
    *answer = 42;
    return answer;
}

static void *cancel(void *arg)
{
    atomic_store(&cancelled, true);
    return NULL;
}

int main(void)
{
    pthread_t q, c;
    void *answer = NULL;
    pthread_create(&q, NULL, query, NULL);
    pthread_create(&c, NULL, cancel, NULL);
    pthread_join(q, &answer);
    pthread_join(c, NULL);
    free(answer);
    return 0;
}
