// SUCCESSFUL
#include <limits.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static int charge(int balance, int fee)
{
    if (balance < INT_MIN + fee)
        return INT_MIN;
    return balance - fee;
}

int main(void)
{
    int balance = __VERIFIER_nondet_int();
    if (balance > 0)
        return 1;
    int after = charge(balance, 25);
    printf("%d\n", after);
    return 0;
}
