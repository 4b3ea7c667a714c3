// undefined
// A copy of a block to bytes that it overlaps is undefined, which ends main there; `memmove` may do so, and blocks side by
// side do not overlap.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int x;

void *worker(void *p) {
    while (1) {
        x = !x;
    }
}

int main(void) {
    pthread_t id;
    char *block = calloc(20000, 1);
    if (!block) {
        return 0;
    }
    pthread_create(&id, 0, worker, 0);
    memmove(block, block + 100, 5000);
    memcpy(block + 5000, block, 5000);
    assert(x < 2);
    memcpy(block, block + 100, 5000);
    assert(0);
}
