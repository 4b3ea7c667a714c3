// FAILED undefined at 18: __builtin_unreachable is reached, the state of a connection was closed by another thread
#include <pthread.h>
#include <stddef.h>

enum state { IDLE, OPEN, CLOSED };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum state state = IDLE;

static void *opener(void *arg)
{
    pthread_mutex_lock(&lock);
    switch (state) {
    case IDLE:
        state = OPEN;
        break;
    default:
        __builtin_unreachable();
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *closer(void *arg)
{
    pthread_mutex_lock(&lock);
    state = CLOSED;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t o, c;
    pthread_create(&o, NULL, opener, NULL);
    pthread_create(&c, NULL, closer, NULL);
    pthread_join(o, NULL);
    pthread_join(c, NULL);
    return 0;
}
