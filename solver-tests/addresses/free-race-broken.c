// expect: bounded undefined
// Whoever frees second frees what has ended.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *p, done;

void *worker(void *arg) {
    free(p);
    return 0;
}

int main(void) {
    pthread_t id;
    p = malloc(4);
    pthread_create(&id, 0, worker, 0);
    free(p);
    pthread_join(id, 0);
    done = 1;
    assert(done == 1);
}
