// SUCCESSFUL
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *duplicate(const char *text)
{
    size_t n = strlen(text);
    char *copy = malloc(n + 1);
    if (copy == NULL)
        abort();
    for (size_t i = 0; i < n; i++)
        copy[i] = text[i];
    copy[n] = '\0';
    return copy;
}

int main(void)
{
    char *name = duplicate("pair");
    printf("%c\n", name[0]);
    free(name);
    return 0;
}
