// SUCCESSFUL
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int limit = 4, used;

static void *take(void *arg)
{
    pthread_mutex_lock(&lock);
    used++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, take, NULL);
    for (int turn = 0; turn < 2; turn++) {
        int most = limit - turn, *kept = malloc(sizeof *kept), spare = sizeof spare;
        free(kept);
        pthread_mutex_lock(&lock);
        if (used < most - spare + (int)sizeof(int))
            used++;
        pthread_mutex_unlock(&lock);
    }
    pthread_join(a, NULL);
    printf("%d of %d\n", used, limit);
    return 0;
}
