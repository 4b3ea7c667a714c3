// expect: complete
// Whoever takes the pointer frees, and the other one frees nothing.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *p, done;

void *worker(void *arg) {
    free(__atomic_exchange_n(&p, 0, __ATOMIC_SEQ_CST));
    return 0;
}

int main(void) {
    pthread_t id;
    p = malloc(4);
    pthread_create(&id, 0, worker, 0);
    free(__atomic_exchange_n(&p, 0, __ATOMIC_SEQ_CST));
    pthread_join(id, 0);
    done = 1;
    assert(done == 1);
}
