// proved
// data model: ILP32
// Offsets that slots have no room for.
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    while (1) {
        unsigned n = __VERIFIER_nondet_uint(), i = __VERIFIER_nondet_uint();
        if (n > 40000 && n < 1 << 30 && i > 0 && i < n) {
            unsigned *a = malloc(n * sizeof *a), *last = a + (n - 1);
            a[0] = 1;
            a[32768] = 2;
            a[i] = 3;
            *last = i;
            assert(a[0] == 1 && *last == i);
            free(a);
        }
    }
}
