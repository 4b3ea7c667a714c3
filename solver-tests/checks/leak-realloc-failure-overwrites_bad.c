// FAILED leak at 19: the failed realloc overwrites the only pointer to the old block
// options: --malloc-may-fail
#include <stdio.h>
#include <stdlib.h>

static char *text;

static int extend(void)
{
    text = realloc(text, 16);
    if (text == NULL)
        return -1;
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
