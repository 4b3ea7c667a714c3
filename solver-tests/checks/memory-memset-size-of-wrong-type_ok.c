// SUCCESSFUL
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 2
#define COLUMNS 3

static short *new_grid(void)
{
    short *grid = malloc(ROWS * COLUMNS * sizeof *grid);
    if (grid == NULL)
        abort();
    memset(grid, 0, ROWS * COLUMNS * sizeof *grid);
    return grid;
}

int main(void)
{
    short *grid = new_grid();
    grid[1 * COLUMNS + 2] = 5;
    printf("%d\n", grid[0]);
    free(grid);
    return 0;
}
