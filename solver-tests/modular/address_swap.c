// unsupported
// A compare-and-swap that succeeds where memory has come back.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
int turns;
void *spin(void *arg) { while (1) { turns = !turns; } return 0; }
int *top;
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, spin, 0);
    int *p = malloc(4);
    top = p;
    free(p);
    int *q = malloc(4);
    int *seen = p;
    top = q;
    assert(!__atomic_compare_exchange_n(&top, &seen, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return 0;
}
