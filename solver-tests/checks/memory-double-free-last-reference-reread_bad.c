// FAILED memory at 18: double free by two threads, the reference count is read again after the decrement
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
    atomic_fetch_sub(&refs, 1);
    if (atomic_load(&refs) == 0)
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
