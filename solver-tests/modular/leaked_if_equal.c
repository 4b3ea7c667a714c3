// unsupported
// The same by a compare-and-swap, of a variable that each iteration has anew.
#include <assert.h>
#include <pthread.h>
int *kept;
extern int __VERIFIER_nondet_int(void);
void *keep(void *arg) {
    while (__VERIFIER_nondet_int()) {
        int own;
        int *old = kept;
        __sync_bool_compare_and_swap(&kept, old, &own);
        assert(old == 0 || old == &own);
    }
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, keep, 0);
    return 0;
}
