// unsupported
// Memory keeps the address of what an earlier iteration has allocated, which an exchange and not a store has put there.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int *kept;
extern int __VERIFIER_nondet_int(void);
void *allocate(void *arg) {
    while (__VERIFIER_nondet_int()) {
        int *own = malloc(sizeof *own);
        int *old = __atomic_exchange_n(&kept, own, __ATOMIC_SEQ_CST);
        assert(old == 0 || old == own);
    }
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, allocate, 0);
    return 0;
}
