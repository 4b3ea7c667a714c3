// SUCCESSFUL
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>

struct image {
    int width;
};

static atomic_int refs = 2;
static struct image *shared;

static int release(void *arg)
{
    struct image *img = arg;
    if (atomic_fetch_sub(&refs, 1) == 1)
        free(img);
    return 0;
}

int main(void)
{
    thrd_t viewer, printer;
    shared = malloc(sizeof *shared);
    if (shared == NULL)
        return 1;
    shared->width = 640;
    thrd_create(&viewer, release, shared);
    thrd_create(&printer, release, shared);
    thrd_join(viewer, NULL);
    thrd_join(printer, NULL);
    return 0;
}
