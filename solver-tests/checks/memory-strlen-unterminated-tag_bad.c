// FAILED memory at 8: read beyond a stack array, strncpy left the tag without a terminator
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
    char tag[4];
    strncpy(tag, source, sizeof tag);
    size_t n = tag_length(tag);
    printf("%zu\n", n);
    return 0;
}
