// SUCCESSFUL
#include <pthread.h>

struct point {
    int x;
    int y;
    int z;
};

static struct point shared;
static int seen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *mover(void *arg) {
    struct point next = {1, 2, 3};
    pthread_mutex_lock(&lock);
    shared = next;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *viewer(void *arg) {
    pthread_mutex_lock(&lock);
    seen = shared.z;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, mover, NULL);
    pthread_create(&b, NULL, viewer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
