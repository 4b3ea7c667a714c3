// SUCCESSFUL
#include <limits.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static unsigned magnitude(int x)
{
    if (x >= 0)
        return (unsigned)x;
    return 0u - (unsigned)x;
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
