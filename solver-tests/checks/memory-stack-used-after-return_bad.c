// FAILED memory at 23: a view of a local array is used after its function returned
#include <stdio.h>

struct view {
    const int *data;
    int length;
};

static struct view squares(int from)
{
    int value[3];
    struct view v;
    for (int i = 0; i < 3; i++)
        value[i] = (from + i) * (from + i);
    v.data = value;
    v.length = 3;
    return v;
}

int main(void)
{
    struct view v = squares(2);
    int last = v.data[v.length - 1];
    printf("%d\n", last);
    return 0;
}
