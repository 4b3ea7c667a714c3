// proved
// An array of variable length, one that is made longer, and one that is large.
#include <assert.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int table[100000];
int main(void) {
    unsigned char n = __VERIFIER_nondet_uchar(), k = __VERIFIER_nondet_uchar();
    int local[n + 1];
    local[n] = 3;
    assert(local[n] == 3);
    unsigned i = 300 * k;
    table[i] = 1;
    assert(table[i + 1] <= 1 && table[i + 1] >= 0);
    while (1) {
        if (k < n) {
            local[k] = 5;
            assert(local[k] == 5);
        }
        k = __VERIFIER_nondet_uchar();
    }
    return 0;
}
