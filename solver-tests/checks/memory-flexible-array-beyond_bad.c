// FAILED memory at 17: write beyond a flexible array member, its elements are counted as bytes
#include <stdio.h>
#include <stdlib.h>

struct samples {
    int count;
    int value[];
};

static struct samples *new_samples(int count)
{
    struct samples *s = malloc(sizeof *s + (size_t)count);
    if (s == NULL)
        abort();
    s->count = count;
    for (int i = 0; i < count; i++)
        s->value[i] = i;
    return s;
}

int main(void)
{
    struct samples *s = new_samples(4);
    printf("%d\n", s->count);
    free(s);
    return 0;
}
