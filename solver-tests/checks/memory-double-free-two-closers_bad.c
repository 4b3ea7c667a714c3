// FAILED memory at 19: double free by two threads, the buffer is tested in an earlier critical section than the one that frees it
#include <pthread.h>
#include <stdlib.h>

struct connection {
    pthread_mutex_t lock;
    char *buffer;
};

static struct connection conn = { PTHREAD_MUTEX_INITIALIZER, NULL };

static void *closer(void *arg)
{
    pthread_mutex_lock(&conn.lock);
    char *buffer = conn.buffer;
    pthread_mutex_unlock(&conn.lock);
    if (buffer != NULL) {
        pthread_mutex_lock(&conn.lock);
        free(buffer);
        conn.buffer = NULL;
        pthread_mutex_unlock(&conn.lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t peer, timeout;
    conn.buffer = malloc(16);
    if (conn.buffer == NULL)
        return 1;
    pthread_create(&peer, NULL, closer, NULL);
    pthread_create(&timeout, NULL, closer, NULL);
    pthread_join(peer, NULL);
    pthread_join(timeout, NULL);
    return 0;
}
