// not proved
// Which element of the array the first thread reads depends on what the second one does after a read of its own: the two
// reads are not of the same element.
#include <assert.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

unsigned char a[70000], n, turned, seen;
unsigned short from;

void *follow(void *arg) {
    unsigned char i = turned & 1;
    seen = a[from + i];
    return 0;
}

void *lead(void *arg) {
    unsigned char first = a[from + (n & 1)];
    if (!first) turned = !n;
    return 0;
}

int main(void) {
    pthread_t t[2];
    n = __VERIFIER_nondet_uchar() & 1;
    turned = n;
    from = (__VERIFIER_nondet_uchar() & 1) * 65535;
    for (unsigned char k = 0; k < n + 2; k++) a[from + k] = __VERIFIER_nondet_uchar() & 1;
    pthread_create(&t[0], 0, follow, 0);
    pthread_create(&t[1], 0, lead, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(turned == n || !seen);
    return 0;
}
