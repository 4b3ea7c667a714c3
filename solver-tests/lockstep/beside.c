// not proved
// Main changes what a thread counts up to, while the thread counts.
#include <assert.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

unsigned char n, x, y;

void *first(void *arg) {
    while (x < n) x++;
    return 0;
}

void *second(void *arg) {
    while (y < n) y++;
    return 0;
}

int main(void) {
    pthread_t t[2];
    n = __VERIFIER_nondet_uchar() & 3;
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    n = 0;
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(x == y);
    return 0;
}
