// FAILED overflow at 15: ++ of an int at INT_MAX; a signed char at 127 is promoted and converted back
#include <limits.h>
#include <stdio.h>

typedef int sequence;
#define SEQUENCE_MAX INT_MAX

struct channel {
    sequence last;
    int messages;
};

static void receive(struct channel *c)
{
    c->last++;
    c->messages++;
}

int main(void)
{
    struct channel c = { SEQUENCE_MAX - 1, 0 };
    receive(&c);
    receive(&c);
    printf("%d %d\n", c.messages, c.last == 0);
    return 0;
}
