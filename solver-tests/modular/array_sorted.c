// abstracted
// Contents matter.
#include <assert.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char n = __VERIFIER_nondet_uchar();
    unsigned *a = malloc(n * sizeof *a);
    for (unsigned i = 0; i < n; i++)
        a[i] = i;
    for (unsigned i = 0; i < n; i++)
        assert(a[i] == i);
    return 0;
}
