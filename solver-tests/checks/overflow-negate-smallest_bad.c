// FAILED overflow at 11: unary minus of INT_MIN in an own absolute value
#include <limits.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static unsigned magnitude(int x)
{
    if (x >= 0)
        return (unsigned)x;
    return (unsigned)-x;
}

int main(void)
{
    int offset = __VERIFIER_nondet_int();
    if (offset > -10)
        return 1;
    unsigned distance = magnitude(offset);
    printf("%d\n", distance >= 10u);
    return 0;
}
