// FAILED memory at 12: heap overrun, the ring wraps one slot too late
#include <stdio.h>
#include <stdlib.h>

struct ring {
    int *slot;
    unsigned capacity, tail;
};

static void put(struct ring *r, int value)
{
    r->slot[r->tail] = value;
    r->tail++;
    if (r->tail > r->capacity)
        r->tail = 0;
}

int main(void)
{
    struct ring r = { NULL, 3, 0 };
    r.slot = calloc(r.capacity, sizeof *r.slot);
    if (r.slot == NULL)
        return 1;
    for (int i = 0; i < 5; i++)
        put(&r, i);
    printf("%d\n", r.slot[0]);
    free(r.slot);
    return 0;
}
