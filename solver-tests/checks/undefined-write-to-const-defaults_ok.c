// SUCCESSFUL
#include <stdio.h>

struct options {
    int width;
    int verbose;
};

static const struct options defaults = { 80, 0 };

static void set_verbose(const struct options *o)
{
    struct options *writable = (struct options *)o;
    writable->verbose = 1;
}

int main(void)
{
    struct options mine = defaults;
    set_verbose(&mine);
    set_verbose(&mine);
    printf("%d\n", mine.width);
    return 0;
}
