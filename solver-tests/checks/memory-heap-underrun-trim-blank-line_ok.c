// SUCCESSFUL
#include <stdlib.h>
#include <string.h>

static void trim(char *line)
{
    int n = (int)strlen(line);
    while (n > 0 && line[n - 1] == ' ')
        n--;
    line[n] = '\0';
}

int main(void)
{
    char *line = malloc(4);
    if (line == NULL)
        return 1;
    strcpy(line, "a  ");
    trim(line);
    strcpy(line, "   ");
    trim(line);
    free(line);
    return 0;
}
