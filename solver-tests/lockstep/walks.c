// proved
// Two threads add up the same array.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

unsigned char *a, from, n, x, y;

void *first(void *arg) {
    for (unsigned char k = 0; k < n; k++) x += a[from + k];
    return 0;
}

void *second(void *arg) {
    for (unsigned char k = 0; k < n; k++) y += a[from + k];
    return 0;
}

int main(void) {
    pthread_t t[2];
    n = __VERIFIER_nondet_uchar() % 3;
    from = (__VERIFIER_nondet_uchar() & 1) * 100;
    a = malloc(from + n + 1);
    for (unsigned char k = 0; k < n; k++) a[from + k] = __VERIFIER_nondet_uchar() & 1;
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(x == y);
    return 0;
}
