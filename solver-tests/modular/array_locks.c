// unsupported
// Locks at indices.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char n = __VERIFIER_nondet_uchar();
    pthread_mutex_t *m = calloc(n, sizeof *m);
    for (unsigned i = 0; i < n; i++)
        pthread_mutex_lock(&m[i]);
    assert(n < 3);
    return 0;
}
