// SUCCESSFUL
#include <stdio.h>

struct queue {
    int slot[5];
    int tail;
};

static void fill(struct queue *q)
{
    int i = q->tail;
    while (i < 4) {
        q->slot[i] = i;
        i++;
    }
    q->tail = i;
}

int main(void)
{
    struct queue q = { { 0 }, 1 };
    fill(&q);
    printf("%d\n", q.tail);
    return 0;
}
