// FAILED overflow at 9: remainder of INT_MIN by -1
#include <limits.h>
#include <stdio.h>

static int phase(int tick, int period)
{
    if (period == 0)
        return 0;
    return tick % period;
}

int main(void)
{
    int start = INT_MIN;
    int forward = phase(start, 7);
    int backward = phase(start, -1);
    printf("%d %d\n", forward, backward);
    return 0;
}
