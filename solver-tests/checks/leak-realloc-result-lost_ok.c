// SUCCESSFUL
#include <stdio.h>
#include <stdlib.h>

static int append(int **array, int length)
{
    int *bigger = realloc(*array, ((size_t)length + 1) * sizeof *bigger);
    if (bigger == NULL)
        abort();
    bigger[length] = length;
    *array = bigger;
    return length + 1;
}

int main(void)
{
    int *array = NULL;
    int length = append(&array, 0);
    printf("%d\n", length);
    free(array);
    return 0;
}
