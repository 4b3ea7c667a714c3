// FAILED leak at 14: an atomic singleton is tested and stored in two steps, the first instance is lost
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>

struct registry {
    int size;
};

static struct registry *_Atomic instance;

static int use_registry(void *arg)
{
    struct registry *mine = malloc(sizeof *mine);
    struct registry *none = NULL;
    if (mine == NULL)
        abort();
    mine->size = 0;
    none = atomic_load(&instance);
    if (none == NULL)
        atomic_store(&instance, mine);
    else
        free(mine);
    return 0;
}

int main(void)
{
    thrd_t a, b;
    thrd_create(&a, use_registry, NULL);
    thrd_create(&b, use_registry, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    free(atomic_load(&instance));
    return 0;
}
