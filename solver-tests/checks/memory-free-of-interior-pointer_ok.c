// SUCCESSFUL
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int first_digit(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    if (copy == NULL)
        return -1;
    strcpy(copy, text);
    char *cursor = copy;
    while (*cursor == ' ')
        cursor++;
    int digit = *cursor - '0';
    free(copy);
    return digit;
}

int main(void)
{
    int sum = first_digit("7") + first_digit("  4");
    printf("%d\n", sum);
    return 0;
}
