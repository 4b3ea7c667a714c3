// proved
// An array is made longer and longer.
#include <assert.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char n = __VERIFIER_nondet_uchar(), k = __VERIFIER_nondet_uchar();
    short *a = malloc((n + 1) * sizeof *a), *b;
    a[n] = 3;
    b = realloc(a, (n + 10) * sizeof *a);
    b[n + 9] = 1;
    if (k < n + 9)
        b[k] = 2;
    assert(b[n + 9] == 1);
    free(b);
    return 0;
}
