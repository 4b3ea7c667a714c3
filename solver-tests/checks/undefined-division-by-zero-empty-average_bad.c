// FAILED undefined at 11: division by zero, the average of an empty series
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static int average(const int *value, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += value[i];
    return sum / count;
}

int main(void)
{
    int value[3] = { 10, 20, 60 };
    int count = __VERIFIER_nondet_int();
    if (count < 0 || count > 3)
        return 1;
    int mean = average(value, count);
    printf("%d\n", mean);
    return 0;
}
