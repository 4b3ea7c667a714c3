// SUCCESSFUL
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *value;

static void parse(const char *line)
{
    char *copy = malloc(strlen(line) + 1);
    if (copy == NULL)
        abort();
    strcpy(copy, line);
    char *sign = strchr(copy, '=');
    if (sign == NULL)
        abort();
    value = sign + 1;
}

int main(void)
{
    parse("a=1");
    printf("%c\n", value[0]);
    return 0;
}
