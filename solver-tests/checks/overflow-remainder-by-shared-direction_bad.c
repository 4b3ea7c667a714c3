// FAILED overflow at 21: remainder of INT_MIN by -1, the direction was turned by another thread
#include <limits.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int direction = 1;
static int position = INT_MIN;

static void *turn(void *arg)
{
    pthread_mutex_lock(&lock);
    direction = -1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *move(void *arg)
{
    pthread_mutex_lock(&lock);
    position = position % direction;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t, m;
    pthread_create(&t, NULL, turn, NULL);
    pthread_create(&m, NULL, move, NULL);
    pthread_join(t, NULL);
    pthread_join(m, NULL);
    return position;
}
