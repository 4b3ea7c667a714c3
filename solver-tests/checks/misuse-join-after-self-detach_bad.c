// FAILED misuse at 40: join of a thread that has detached itself because the shutdown came first
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool closing, detached;

static void *session(void *arg)
{
    pthread_mutex_lock(&lock);
    if (closing) {
        pthread_detach(pthread_self());
        detached = true;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *shutdown_all(void *arg)
{
    pthread_mutex_lock(&lock);
    closing = true;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t s, c;
    pthread_create(&s, NULL, session, NULL);
    pthread_create(&c, NULL, shutdown_all, NULL);
    pthread_join(c, NULL);
    pthread_mutex_lock(&lock);
    bool joinable = true;
    closing = false;
    pthread_mutex_unlock(&lock);
    if (joinable)
        pthread_join(s, NULL);
    return 0;
}
