// proved
// Threads walk over an array whose size is an input; one of them has no end.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int *a, n, found;
void *look(void *arg) {
    while (1)
        for (int i = 0; i < n; i++)
            if (a[i] == 7) {
                assert(a[i] == 7);
                found = 1;
            }
    return 0;
}
int main(void) {
    pthread_t t;
    n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n < 1000);
    a = malloc(sizeof(int) * (size_t)n);
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    pthread_create(&t, 0, look, 0);
    assert(found <= 1);
    return 0;
}
