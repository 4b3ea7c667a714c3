// FAILED undefined at 12: memcpy of overlapping parts of one buffer
#include <stdio.h>
#include <string.h>

struct line {
    char text[16];
    size_t length;
};

static void delete_prefix(struct line *l, size_t n)
{
    memcpy(l->text, l->text + n, l->length - n);
    l->length -= n;
}

int main(void)
{
    struct line l = { "abcdefgh", 8 };
    delete_prefix(&l, 6);
    l.length = 8;
    delete_prefix(&l, 2);
    printf("%c %zu\n", l.text[0], l.length);
    return 0;
}
