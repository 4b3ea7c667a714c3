// FAILED memory at 18: free of a stack array, small-buffer optimisation forgotten on release
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checksum(const char *text)
{
    char small[4];
    char *copy = small;
    size_t size = strlen(text) + 1;
    if (size > sizeof small) {
        copy = malloc(size);
        if (copy == NULL)
            return -1;
    }
    strcpy(copy, text);
    int sum = copy[0] + copy[size - 2];
    free(copy);
    return sum;
}

int main(void)
{
    int sum = checksum("longer") + checksum("ab");
    printf("%d\n", sum);
    return 0;
}
