// SUCCESSFUL
#include <limits.h>
#include <stdio.h>

static int to_milli(float volt)
{
    float milli = volt * 1000.0f;
    if (milli >= 2147483648.0f)
        return INT_MAX;
    return (int)milli;
}

int main(void)
{
    int normal = to_milli(3.5f);
    int spike = to_milli(4.0e6f);
    printf("%d %d\n", normal, spike);
    return 0;
}
