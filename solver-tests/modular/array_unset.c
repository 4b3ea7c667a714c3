// violated
// Nobody has set what is read.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
unsigned char n;
int *a;
void *look(void *arg) {
    for (unsigned i = 0; i < n; i++)
        assert(a[i] != 77);
    return 0;
}
int main(void) {
    pthread_t t;
    n = __VERIFIER_nondet_uchar();
    a = malloc(n * sizeof *a);
    pthread_create(&t, 0, look, 0);
    return 0;
}
