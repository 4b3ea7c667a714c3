// FAILED leak at 10: only an offset into the block is kept; a pointer into its middle keeps it reachable
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t value_offset;

static void parse(const char *line)
{
    char *copy = malloc(strlen(line) + 1);
    if (copy == NULL)
        abort();
    strcpy(copy, line);
    char *sign = strchr(copy, '=');
    if (sign == NULL)
        abort();
    value_offset = (size_t)(sign + 1 - copy);
}

int main(void)
{
    parse("a=1");
    printf("%zu\n", value_offset);
    return 0;
}
