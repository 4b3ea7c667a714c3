// unsupported
// data model: ILP32
// The address of a place far into an array is stored.
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
unsigned *last;
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 0 && n < 1 << 30) {
        unsigned *a = calloc(n, sizeof *a);
        last = a + (n - 1);
        assert(*last == 0);
    }
    return 0;
}
