// SUCCESSFUL
#include <pthread.h>

static pthread_t id;
pthread_t copy;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *child(void *arg) {
    pthread_mutex_lock(&lock);
    copy = id;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_mutex_lock(&lock);
    pthread_create(&id, NULL, child, NULL);
    pthread_mutex_unlock(&lock);
    pthread_join(id, NULL);
    return 0;
}
