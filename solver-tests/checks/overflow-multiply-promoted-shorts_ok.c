// SUCCESSFUL
#include <stdint.h>
#include <stdio.h>

static uint32_t area(uint16_t width, uint16_t height)
{
    return (uint32_t)width * height;
}

int main(void)
{
    uint32_t icon = area(32, 32);
    uint32_t sheet = area(65535, 65535);
    printf("%u %u\n", (unsigned)icon, (unsigned)sheet);
    return 0;
}
