// FAILED race at 16 and 22: the whole structure is assigned without the lock that the reader of one member holds
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
    shared = next;
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
