// undefined
// The loop reads one element too many.
#include <assert.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uchar() + 1, sum = 0;
    unsigned char *a = calloc(n, 1);
    for (unsigned i = 0; i <= n; i++)
        sum += a[i];
    assert(sum == 0);
    return 0;
}
