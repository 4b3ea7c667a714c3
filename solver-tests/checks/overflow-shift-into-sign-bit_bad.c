// FAILED overflow at 10: 1 << 31 shifts into the sign bit of int
#include <stdio.h>

struct mask {
    unsigned bits;
};

static void set_bit(struct mask *m, int position)
{
    m->bits |= (unsigned)(1 << position);
}

int main(void)
{
    struct mask ports = { 0 };
    set_bit(&ports, 0);
    set_bit(&ports, 31);
    printf("%u\n", ports.bits);
    return 0;
}
