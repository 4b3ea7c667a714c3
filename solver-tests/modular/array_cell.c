// violated
// An element that has a name is written at an index.
#include <assert.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char n = __VERIFIER_nondet_uchar(), i = __VERIFIER_nondet_uchar();
    int *a = malloc(n * sizeof *a);
    if (i < n) {
        a[0] = 1;
        a[i] = 2;
        assert(a[0] == 1);
    }
    return 0;
}
