// safe
// A thread that waits for a lock for ever has looked whether the lock still lives: a look in the same instruction, which
// the replay took for the whole of it.
#include <pthread.h>
#include <stdlib.h>

struct box {
    pthread_mutex_t lock;
    int value;
} *box;

void *worker(void *arg) {
    pthread_mutex_lock(&box->lock);
    int left = --box->value;
    pthread_mutex_unlock(&box->lock);
    if (left == 0) {
        pthread_mutex_destroy(&box->lock);
        free(box);
    }
    return 0;
}

void *other(void *arg) {
    pthread_mutex_destroy(&box->lock);
    return 0;
}

int main(void) {
    pthread_t id[2];
    box = malloc(sizeof *box);
    box->value = 2;
    pthread_mutex_init(&box->lock, 0);
    pthread_create(&id[0], 0, worker, 0);
    pthread_create(&id[1], 0, other, 0);
    pthread_mutex_destroy(&box->lock);
    free(box);
    return 0;
}
