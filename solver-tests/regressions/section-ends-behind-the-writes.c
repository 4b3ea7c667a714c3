// safe
// So many writes counted as enough although a section that ends at its double free has one more.
#include <pthread.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int *slot, n;
void *worker0(void *arg) {
    __VERIFIER_atomic_begin();
    n++;
    slot = realloc(slot, n * sizeof *slot);
    slot[n] = 1;
    __VERIFIER_atomic_end();
    return 0;
}
void *worker1(void *arg) {
    n++;
    slot = realloc(slot, n * sizeof *slot);
    slot[n] = 1;
    return 0;
}
int main(void) {
    pthread_t id[2];
    pthread_create(&id[0], 0, worker0, 0);
    pthread_create(&id[1], 0, worker1, 0);
    free(slot);
    return 0;
}
