// FAILED undefined at 21: difference of pointers into different objects
#include <stddef.h>
#include <stdio.h>

static int primary[4] = { 1, 2, 3, 4 };
static int spare[4] = { 9, 9, 9, 9 };

static const int *find(const int *array, int value)
{
    for (int i = 0; i < 4; i++)
        if (array[i] == value)
            return &array[i];
    return NULL;
}

static ptrdiff_t index_of(int value)
{
    const int *hit = find(primary, value);
    if (hit == NULL)
        hit = find(spare, value);
    return hit == NULL ? -1 : hit - primary;
}

int main(void)
{
    ptrdiff_t a = index_of(3);
    ptrdiff_t b = index_of(9);
    printf("%d\n", a == 2 && b != 2);
    return 0;
}
