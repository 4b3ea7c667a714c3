// FAILED undefined at 22: an initialiser reads the variable that it initialises, where another one of its name was meant
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
        int limit = limit - turn;
        pthread_mutex_lock(&lock);
        if (used < limit)
            used++;
        pthread_mutex_unlock(&lock);
    }
    pthread_join(a, NULL);
    printf("%d of %d\n", used, limit);
    return 0;
}
