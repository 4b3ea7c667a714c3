// SUCCESSFUL
#include <pthread.h>

#define WORKERS 2

static pthread_t worker[WORKERS];
static int seen[WORKERS];

static void *work(void *arg)
{
    int id = *(int *)arg;
    seen[id] = 1;
    return NULL;
}

int main(void)
{
    int ids[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
        ids[i] = i;
        pthread_create(&worker[i], NULL, work, &ids[i]);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(worker[i], NULL);
    return seen[0] ? 0 : 1;
}
