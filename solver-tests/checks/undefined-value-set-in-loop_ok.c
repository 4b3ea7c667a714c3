// SUCCESSFUL
#include <stdio.h>

static int shares(int weight, int parts)
{
    int last = 0;
    int skipped;
    for (int i = 0; i < parts; i++) {
        last = weight / parts;
        if (i == 0)
            skipped = 0;
        else
            skipped++;
    }
    return last * parts - (parts > 0 ? skipped : 0);
}

int main(void)
{
    int sum = shares(9, 3);
    sum += shares(7, 0);
    printf("%d\n", sum > 0);
    return 0;
}
