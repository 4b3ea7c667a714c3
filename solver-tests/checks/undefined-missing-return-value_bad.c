// FAILED undefined at 10 or 15: the value of a function that ended without return is used
#include <stdio.h>

static int priority_of(char kind)
{
    if (kind == 'e')
        return 3;
    if (kind == 'w')
        return 2;
}

int main(void)
{
    int error = priority_of('e');
    if (error > priority_of('i'))
        error = 1;
    printf("%d\n", error != 0);
    return 0;
}
