// SUCCESSFUL
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct logger {
    int lines;
};

static atomic_bool ready;
static struct logger *_Atomic instance;

static void *starter(void *arg)
{
    struct logger *made = malloc(sizeof *made);
    if (made == NULL)
        abort();
    made->lines = 0;
    atomic_store(&instance, made);
    atomic_store(&ready, true);
    return NULL;
}

static void *client(void *arg)
{
    if (atomic_load(&ready)) {
        struct logger *log = atomic_load(&instance);
        log->lines = 1;
    }
    return NULL;
}

int main(void)
{
    pthread_t s, c;
    pthread_create(&s, NULL, starter, NULL);
    pthread_create(&c, NULL, client, NULL);
    pthread_join(s, NULL);
    pthread_join(c, NULL);
    free(atomic_load(&instance));
    return 0;
}
