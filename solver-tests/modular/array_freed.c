// undefined
// An array of unknown size is freed while another thread may still use it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int *a;
unsigned n;
void *use(void *arg) {
    for (unsigned i = 0; i < n; i++)
        assert(a[i] == 0);
    return 0;
}
int main(void) {
    pthread_t t;
    n = __VERIFIER_nondet_uchar();
    a = calloc(n, sizeof *a);
    pthread_create(&t, 0, use, 0);
    free(a);
    return 0;
}
