// A buffer whose length comes from outside.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int length = __VERIFIER_nondet_int();
    __VERIFIER_assume(length >= 0);
    int rounded = (length + 7) / 8 * 8;
    assert(rounded >= length);
    return 0;
}
