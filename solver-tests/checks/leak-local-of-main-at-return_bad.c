// FAILED leak at 11: the block is held by a local of main only; held by a global it stays reachable
#include <stdio.h>
#include <stdlib.h>

struct config {
    int verbose;
};

int main(void)
{
    struct config *config = malloc(sizeof *config);
    if (config == NULL)
        abort();
    config->verbose = 1;
    printf("%d\n", config->verbose);
    return 0;
}
