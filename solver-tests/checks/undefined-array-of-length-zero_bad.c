// FAILED undefined at 6: a variable length array of length zero
#include <stdio.h>

static int largest(const int *value, int count)
{
    int sorted[count];
    int max = 0;
    for (int i = 0; i < count; i++) {
        sorted[i] = value[i];
        if (sorted[i] > max)
            max = sorted[i];
    }
    return max;
}

int main(void)
{
    int value[3] = { 4, 9, 2 };
    int all = largest(value, 3);
    int none = largest(value, 0);
    printf("%d %d\n", all, none);
    return 0;
}
