// SUCCESSFUL
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

static bool fits(long long offset, long long length, long long size)
{
    return length <= size && offset <= size - length;
}

int main(void)
{
    bool small = fits(100, 50, 4096);
    bool huge = fits(100, LLONG_MAX - 50, 4096);
    printf("%d %d\n", small, huge);
    return 0;
}
