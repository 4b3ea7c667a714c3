// FAILED leak at 15: main returns with the block in its local; with exit its frame still holds the pointer
#include <stdio.h>
#include <stdlib.h>

static int score(const int *table, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += table[i];
    return sum;
}

int main(void)
{
    int *table = calloc(3, sizeof *table);
    if (table == NULL)
        abort();
    table[2] = 4;
    int sum = score(table, 3);
    printf("%d\n", sum);
    return sum == 4 ? 0 : table[0];
}
