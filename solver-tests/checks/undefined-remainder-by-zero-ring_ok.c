// SUCCESSFUL
#include <stdio.h>

#define MAX_SLOTS 4

struct ring {
    int slot[MAX_SLOTS];
    int capacity, tail;
};

static void ring_init(struct ring *r, int wanted)
{
    r->capacity = wanted > 0 && wanted < MAX_SLOTS ? wanted : MAX_SLOTS;
    r->tail = 0;
    r->slot[0] = 0;
}

static void put(struct ring *r, int value)
{
    r->slot[r->tail] = value;
    r->tail = (r->tail + 1) % r->capacity;
}

int main(void)
{
    struct ring big, none;
    ring_init(&big, 9);
    ring_init(&none, 0);
    put(&big, 1);
    put(&none, 2);
    printf("%d\n", big.slot[0]);
    return 0;
}
