// FAILED overflow at 20: multiplication by a scale that two threads double under a lock
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int scale = 30000;

static void *zoom(void *arg)
{
    pthread_mutex_lock(&lock);
    scale = scale + scale;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *draw(void *arg)
{
    int *pixels = arg;
    pthread_mutex_lock(&lock);
    *pixels = 30000 * scale;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b, d;
    int pixels = 0;
    pthread_create(&a, NULL, zoom, NULL);
    pthread_create(&b, NULL, zoom, NULL);
    pthread_create(&d, NULL, draw, &pixels);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(d, NULL);
    return pixels <= 0;
}
