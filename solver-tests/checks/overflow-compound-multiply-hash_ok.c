// SUCCESSFUL
#include <stdio.h>

static unsigned hash(const char *text)
{
    unsigned h = 5381;
    for (int i = 0; text[i] != '\0'; i++) {
        h *= 33;
        h ^= (unsigned char)text[i];
    }
    return h;
}

int main(void)
{
    int same = hash("ab") == hash("ab");
    int longer = hash("abcdef") == hash("abcdeg");
    printf("%d %d\n", same, longer);
    return 0;
}
