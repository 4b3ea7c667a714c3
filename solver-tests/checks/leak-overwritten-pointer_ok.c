// SUCCESSFUL
#include <stdio.h>
#include <stdlib.h>

static int *message;

static void set_message(int code)
{
    free(message);
    message = malloc(sizeof *message);
    if (message == NULL)
        abort();
    *message = code;
}

int main(void)
{
    set_message(1);
    set_message(2);
    printf("%d\n", *message);
    free(message);
    return 0;
}
