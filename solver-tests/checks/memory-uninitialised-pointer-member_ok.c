// SUCCESSFUL
#include <stdlib.h>

struct buffer {
    char *data;
    int length;
    char storage[8];
};

static struct buffer *new_buffer(void)
{
    struct buffer *b = malloc(sizeof *b);
    if (b == NULL)
        abort();
    b->data = b->storage;
    b->length = 0;
    return b;
}

static void put(struct buffer *b, char c)
{
    b->data[b->length] = c;
    b->length++;
}

int main(void)
{
    struct buffer *b = new_buffer();
    put(b, 'a');
    free(b);
    return 0;
}
