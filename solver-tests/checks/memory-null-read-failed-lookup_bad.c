// FAILED memory at 23: null pointer read, a failed lookup is not checked
#include <stdio.h>
#include <string.h>

struct symbol {
    const char *name;
    int value;
};

static struct symbol table[] = { {"width", 4}, {"height", 3} };

static struct symbol *lookup(const char *name)
{
    for (int i = 0; i < 2; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

static int value_of(const char *name)
{
    struct symbol *s = lookup(name);
    return s->value;
}

int main(void)
{
    int area = value_of("width") * value_of("height");
    area += value_of("margin");
    printf("%d\n", area);
    return 0;
}
