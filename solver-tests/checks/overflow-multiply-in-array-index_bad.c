// FAILED overflow at 8: multiplication in the computation of an array index
#include <stdio.h>

static unsigned char tile[16];

static unsigned char tile_at(int row, int stride)
{
    return tile[(row * stride) & 15];
}

int main(void)
{
    unsigned char near = tile_at(3, 4);
    unsigned char far = tile_at(70000, 40000);
    printf("%d %d\n", near, far);
    return 0;
}
