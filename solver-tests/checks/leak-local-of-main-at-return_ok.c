// SUCCESSFUL
#include <stdio.h>
#include <stdlib.h>

struct config {
    int verbose;
};

static struct config *config;

int main(void)
{
    config = malloc(sizeof *config);
    if (config == NULL)
        abort();
    config->verbose = 1;
    printf("%d\n", config->verbose);
    return 0;
}
