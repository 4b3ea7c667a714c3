// SUCCESSFUL
#include <stdio.h>

static int seconds_to_ticks(int seconds)
{
    int ticks_per_second = 1000000;
    long long ticks = (long long)seconds * ticks_per_second;
    return (int)ticks;
}

int main(void)
{
    int minute = seconds_to_ticks(60);
    int hour = seconds_to_ticks(3600);
    short cut = (short)hour;
    printf("%d %d\n", minute > 0, cut == hour);
    return 0;
}
