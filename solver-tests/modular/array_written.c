// proved
// data model: ILP32
// Two threads without end write to elements; a third sees what they write and nothing else.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
unsigned char *a;
unsigned n;
void *raise(void *arg) {
    while (1)
        for (unsigned i = 0; i < n; i++)
            a[i] = 3;
    return 0;
}
void *look(void *arg) {
    unsigned i = __VERIFIER_nondet_uint();
    if (i < n)
        assert(a[i] < 4);
    return 0;
}
int main(void) {
    pthread_t t[3];
    n = __VERIFIER_nondet_uint();
    a = calloc(n, 1);
    pthread_create(&t[0], 0, raise, 0);
    pthread_create(&t[1], 0, raise, 0);
    pthread_create(&t[2], 0, look, 0);
    return 0;
}
