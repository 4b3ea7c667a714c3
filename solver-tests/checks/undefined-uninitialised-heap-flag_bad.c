// FAILED undefined at 24: an indeterminate member of a malloced object decides a branch
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct session {
    int id;
    int authenticated;
};

static struct session *open_session(int id)
{
    struct session *s = malloc(sizeof *s);
    if (s == NULL)
        abort();
    s->id = id;
    return s;
}

int main(void)
{
    struct session *s = open_session(7);
    bool allowed = false;
    if (s->authenticated)
        allowed = true;
    printf("%d %d\n", s->id, allowed || s->id == 7);
    free(s);
    return 0;
}
