// FAILED undefined at 7: shift by the width, a mask of all 32 bits
#include <stdint.h>
#include <stdio.h>

static uint32_t low_mask(unsigned bits)
{
    return (UINT32_C(1) << bits) - 1;
}

int main(void)
{
    uint32_t address = UINT32_C(0xC0A80107);
    uint32_t host = address & low_mask(8);
    uint32_t all = address & low_mask(32);
    printf("%u %u\n", (unsigned)host, (unsigned)all);
    return 0;
}
