// SUCCESSFUL
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>

struct config {
    int level;
};

static _Atomic(struct config *) instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct config *get(void) {
    if (instance == NULL) {
        pthread_mutex_lock(&lock);
        if (instance == NULL) {
            struct config *c = malloc(sizeof *c);
            if (c != NULL) {
                c->level = 3;
            }
            instance = c;
        }
        pthread_mutex_unlock(&lock);
    }
    return instance;
}

static void *user(void *arg) {
    int *out = arg;
    struct config *c = get();
    if (c != NULL) {
        *out = c->level;
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int level[2] = {0, 0};
    pthread_create(&a, NULL, user, &level[0]);
    pthread_create(&b, NULL, user, &level[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(instance);
    return 0;
}
