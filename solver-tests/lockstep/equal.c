// proved
// Two threads double numbers that were equal, up to the same limit; main counts meanwhile.
#include <assert.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

unsigned char n, x, y;

void *first(void *arg) {
    while (x < n) x += x;
    return 0;
}

void *second(void *arg) {
    while (y < n) y += y;
    return 0;
}

int main(void) {
    pthread_t t[2];
    unsigned char k = 0;
    n = __VERIFIER_nondet_uchar() & 7;
    x = y = __VERIFIER_nondet_uchar() & 3;
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    while (k < n) k++;
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(x == y && k == n);
    return 0;
}
