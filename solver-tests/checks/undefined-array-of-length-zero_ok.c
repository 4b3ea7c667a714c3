// SUCCESSFUL
#include <stdio.h>

static int largest(const int *value, int count)
{
    if (count <= 0)
        return 0;
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
