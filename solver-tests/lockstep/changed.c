// not proved
// Two threads read the same element of an array, each once, and a third one changes it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

unsigned char *a, from, n, x, y;

void *first(void *arg) {
    x = a[from + n];
    return 0;
}

void *second(void *arg) {
    y = a[from + n];
    return 0;
}

void *change(void *arg) {
    a[from + n] = 1;
    return 0;
}

int main(void) {
    pthread_t t[3];
    n = __VERIFIER_nondet_uchar() & 1;
    from = (__VERIFIER_nondet_uchar() & 1) * 100;
    a = malloc(from + n + 2);
    for (unsigned char k = 0; k < n + 2; k++) a[from + k] = 0;
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_create(&t[2], 0, change, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(x == y);
    return 0;
}
