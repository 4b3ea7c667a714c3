// FAILED undefined at 19: an indeterminate local decides a branch, one case sets no status
#include <stdio.h>

enum command { PING, QUIT, NOTE };

static int execute(enum command c)
{
    int failed;
    switch (c) {
    case PING:
        failed = 0;
        break;
    case QUIT:
        failed = 1;
        break;
    case NOTE:
        break;
    }
    if (failed)
        return -1;
    return 1;
}

int main(void)
{
    int sum = execute(PING) + execute(QUIT) + execute(NOTE);
    printf("%d\n", sum > 0);
    return 0;
}
