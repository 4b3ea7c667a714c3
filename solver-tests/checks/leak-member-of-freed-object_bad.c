// FAILED leak at 15: the object is freed but not the block that a member points to
#include <stdio.h>
#include <stdlib.h>

struct row {
    int *cell;
    int width;
};

static struct row *new_row(int width)
{
    struct row *r = malloc(sizeof *r);
    if (r == NULL)
        abort();
    r->cell = calloc((size_t)width, sizeof *r->cell);
    if (r->cell == NULL)
        abort();
    r->width = width;
    return r;
}

static void delete_row(struct row *r)
{
    free(r);
}

int main(void)
{
    struct row *r = new_row(3);
    printf("%d\n", r->width);
    delete_row(r);
    return 0;
}
