// SUCCESSFUL
#include <stdio.h>
#include <stdlib.h>

static int failures;

static void fail(int fatal)
{
    failures++;
    if (fatal)
        exit(2);
}

static int half(int n)
{
    if (n % 2 != 0)
        fail(0);
    return n / 2;
}

int main(void)
{
    int a = half(8);
    int b = half(5);
    printf("%d %d %d\n", a, b, failures);
    return 0;
}
