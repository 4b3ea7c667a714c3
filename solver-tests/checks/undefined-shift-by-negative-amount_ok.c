// SUCCESSFUL
#include <stdio.h>

static unsigned field(unsigned byte, int offset, int width)
{
    int drop = 8 - offset - width;
    if (drop < 0)
        drop = 0;
    return byte >> drop;
}

int main(void)
{
    unsigned version = field(0x45, 0, 4);
    unsigned flags = field(0x45, 6, 4);
    printf("%u %u\n", version, flags);
    return 0;
}
