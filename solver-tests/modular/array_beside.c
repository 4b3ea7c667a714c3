// proved
// data model: ILP32
// Offsets that slots have no room for, also where others come between.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
unsigned *a, n, x;
void *work(void *arg) {
    while (1) {
        unsigned i = __VERIFIER_nondet_uint();
        if (i > 0 && i < n)
            a[i] = i;
    }
    return 0;
}
int main(void) {
    pthread_t t;
    n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n > 40000 && n < 1 << 30);
    a = malloc(n * sizeof *a);
    a[0] = 1;
    pthread_create(&t, 0, work, 0);
    a[32768] = 2;
    assert(a[0] == 1);
    return 0;
}
