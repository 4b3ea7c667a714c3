// FAILED overflow at 8: compound multiplication in a signed hash; the repaired one wraps without a sign
#include <stdio.h>

static int hash(const char *text)
{
    int h = 5381;
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
