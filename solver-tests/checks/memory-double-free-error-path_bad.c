// FAILED memory at 19: double free, the error path frees and so does the common exit
#include <stdlib.h>
#include <string.h>

static int parse(const char *text)
{
    int rc = 0;
    char *copy = malloc(strlen(text) + 1);
    if (copy == NULL)
        return -1;
    strcpy(copy, text);
    if (copy[0] != '{') {
        free(copy);
        rc = -1;
        goto out;
    }
    copy[0] = ' ';
out:
    free(copy);
    return rc;
}

int main(void)
{
    int good = parse("{}");
    int bad = parse("[]");
    return good == 0 && bad == -1 ? 0 : 1;
}
