// violated
// What one thread writes at an index, another one reads.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
unsigned char n, at;
short *a;
void *look(void *arg) {
    assert(a[at] != 7);
    return 0;
}
int main(void) {
    pthread_t t;
    n = __VERIFIER_nondet_uchar();
    at = __VERIFIER_nondet_uchar();
    a = calloc(n, sizeof *a);
    if (at < n)
        a[at] = 7;
    pthread_create(&t, 0, look, 0);
    return 0;
}
