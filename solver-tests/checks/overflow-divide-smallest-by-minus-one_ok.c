// SUCCESSFUL
#include <limits.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static int scale_down(int value, int divisor)
{
    if (divisor == 0)
        return 0;
    if (value == INT_MIN && divisor == -1)
        return INT_MAX;
    return value / divisor;
}

int main(void)
{
    int divisor = __VERIFIER_nondet_int();
    if (divisor < -2 || divisor > 2)
        return 1;
    int a = scale_down(100, divisor);
    int b = scale_down(INT_MIN, divisor);
    printf("%d %d\n", a, b);
    return 0;
}
