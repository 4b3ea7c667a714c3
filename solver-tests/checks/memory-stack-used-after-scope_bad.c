// FAILED memory at 13: a buffer of an inner block is used after the block
#include <stdio.h>
#include <string.h>

static char describe(int level)
{
    const char *label = "normal";
    if (level > 1) {
        char text[8];
        strcpy(text, "high");
        label = text;
    }
    return label[0];
}

int main(void)
{
    char a = describe(0);
    char b = describe(2);
    printf("%c%c\n", a, b);
    return 0;
}
