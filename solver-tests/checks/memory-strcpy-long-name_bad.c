// FAILED memory at 17: strcpy beyond a heap block, a name is longer than its field
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct user {
    int id;
    char name[8];
};

static struct user *add_user(int id, const char *name)
{
    struct user *u = calloc(1, sizeof *u);
    if (u == NULL)
        abort();
    u->id = id;
    strcpy(u->name, name);
    return u;
}

int main(void)
{
    struct user *a = add_user(1, "ann");
    struct user *b = add_user(2, "maximilian");
    printf("%c%c\n", a->name[0], b->name[0]);
    free(a);
    free(b);
    return 0;
}
