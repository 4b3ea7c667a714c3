// FAILED undefined at 11: pointer arithmetic beyond the object, a bounds check computes the end of the record first
#include <stdbool.h>
#include <stdio.h>

static unsigned char input[8] = { 2, 'o', 'k', 200, 'x' };

static bool record_fits(const unsigned char *at)
{
    const unsigned char *end = input + sizeof input;
    unsigned length = at[0];
    const unsigned char *next = at + 1 + length;
    return next <= end;
}

int main(void)
{
    bool first = record_fits(input);
    bool second = record_fits(input + 3);
    printf("%d %d\n", first, second);
    return 0;
}
