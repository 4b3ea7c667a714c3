// SUCCESSFUL
// options: --malloc-may-fail
#include <stdio.h>
#include <stdlib.h>

static char *text;

static int extend(void)
{
    char *longer = realloc(text, 16);
    if (longer == NULL)
        return -1;
    text = longer;
    text[8] = 'x';
    return 0;
}

int main(void)
{
    text = malloc(8);
    if (text == NULL)
        return 1;
    text[0] = 'a';
    int rc = extend();
    printf("%d\n", rc);
    free(text);
    return 0;
}
