// SUCCESSFUL
#include <stdbool.h>
#include <stdio.h>

static unsigned char input[8] = { 2, 'o', 'k', 200, 'x' };

static bool record_fits(const unsigned char *at)
{
    const unsigned char *end = input + sizeof input;
    unsigned length = at[0];
    return length <= (size_t)(end - at) - 1;
}

int main(void)
{
    bool first = record_fits(input);
    bool second = record_fits(input + 3);
    printf("%d %d\n", first, second);
    return 0;
}
