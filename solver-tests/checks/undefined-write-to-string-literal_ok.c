// SUCCESSFUL
#include <stdio.h>
#include <string.h>

static void strip_extension(char *path)
{
    char *dot = strrchr(path, '.');
    if (dot != NULL)
        *dot = '\0';
}

int main(void)
{
    char path[] = "core.c";
    strip_extension(path);
    printf("%c\n", path[0]);
    return 0;
}
