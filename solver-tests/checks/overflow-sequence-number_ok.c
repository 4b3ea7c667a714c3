// SUCCESSFUL
#include <limits.h>
#include <stdio.h>

typedef signed char sequence;
#define SEQUENCE_MAX SCHAR_MAX

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
