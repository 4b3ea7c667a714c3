// SUCCESSFUL
// options: --malloc-may-fail
#include <stdio.h>
#include <stdlib.h>

struct counter {
    int value;
};

static struct counter *new_counter(int start)
{
    struct counter *c = malloc(sizeof *c);
    if (c == NULL)
        return NULL;
    c->value = start;
    return c;
}

int main(void)
{
    struct counter *c = new_counter(5);
    if (c == NULL)
        return 1;
    printf("%d\n", c->value);
    free(c);
    return 0;
}
