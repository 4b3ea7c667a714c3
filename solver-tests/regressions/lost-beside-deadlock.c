// safe
// Blocks that main loses only counted as freed in the end, which a deadlock keeps it from: complete.
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *arg) {
    pthread_mutex_lock(&m2);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m2);
    return 0;
}
int main(void) {
    pthread_t id;
    void *kept = malloc(4);
    pthread_create(&id, 0, worker, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m2);
    pthread_mutex_unlock(&m2);
    pthread_mutex_unlock(&m);
    pthread_join(id, 0);
    free(kept);
    return 0;
}
