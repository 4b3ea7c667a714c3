// FAILED undefined at 7: shift by a negative amount, a bit field longer than the rest of its byte
#include <stdio.h>

static unsigned field(unsigned byte, int offset, int width)
{
    int drop = 8 - offset - width;
    return byte >> drop;
}

int main(void)
{
    unsigned version = field(0x45, 0, 4);
    unsigned flags = field(0x45, 6, 4);
    printf("%u %u\n", version, flags);
    return 0;
}
