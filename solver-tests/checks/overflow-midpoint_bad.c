// FAILED overflow at 9: addition in the midpoint of a binary search over large keys
#include <limits.h>
#include <stdio.h>

static int first_square_above(int limit)
{
    int low = INT_MAX - 20, high = INT_MAX - 5;
    for (int i = 0; i < 5 && low < high; i++) {
        int middle = (low + high) / 2;
        if (middle > limit)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

int main(void)
{
    int key = first_square_above(INT_MAX - 9);
    printf("%d\n", key);
    return 0;
}
