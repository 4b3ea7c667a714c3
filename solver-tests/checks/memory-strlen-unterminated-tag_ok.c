// SUCCESSFUL
#include <stdio.h>
#include <string.h>

static size_t tag_length(const char *tag)
{
    size_t n = 0;
    while (tag[n] != '\0')
        n++;
    return n;
}

int main(void)
{
    const char *source = "head";
    char tag[5];
    strncpy(tag, source, sizeof tag - 1);
    tag[4] = '\0';
    size_t n = tag_length(tag);
    printf("%zu\n", n);
    return 0;
}
