// FAILED race at 9 and 23: main frees the block without waiting for the thread that reads it
#include <pthread.h>
#include <stdlib.h>

static int result;

static void *reader(void *arg) {
    int *block = arg;
    result = block[1];
    return NULL;
}

int main(void) {
    pthread_t t;
    int *block = malloc(2 * sizeof *block);
    if (block == NULL) {
        return 0;
    }
    block[0] = 3;
    block[1] = 4;
    pthread_create(&t, NULL, reader, block);
    /* in the one order a race, in the other also a use after free */
    free(block);
    pthread_join(t, NULL);
    return 0;
}
