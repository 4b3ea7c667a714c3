// violated
// A byte is written within what was read.
#include <assert.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char n = __VERIFIER_nondet_uchar(), i = __VERIFIER_nondet_uchar(), j = __VERIFIER_nondet_uchar();
    int *a = calloc(n, sizeof *a);
    if (i < n && j < n) {
        int before = a[i];
        ((unsigned char *)a)[j] = 1;
        assert(a[i] == before);
    }
    return 0;
}
