// not proved
// Two threads begin with atomic sections that take several steps.
#include <assert.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

unsigned char n, x, y;

void *first(void *arg) {
    __VERIFIER_atomic_begin();
    for (unsigned char k = 0; k < n; k++) x++;
    __VERIFIER_atomic_end();
    return 0;
}

void *second(void *arg) {
    __VERIFIER_atomic_begin();
    for (unsigned char k = 0; k < n; k++) y++;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t[2];
    n = __VERIFIER_nondet_uchar() & 3;
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(x + y < 6);
    return 0;
}
