// FAILED memory at 11: a thread uses a variable of a loop body whose scope has ended
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
    for (int i = 0; i < WORKERS; i++) {
        int id = i;
        pthread_create(&worker[i], NULL, work, &id);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(worker[i], NULL);
    return seen[0] ? 0 : 1;
}
