// safe
// Replays of `realloc` looked at an object's life where its copy had no step, and at both objects in steps that are of one.
#include <pthread.h>
#include <stdlib.h>
int *slot, used;

void *grow(void *arg) {
    int *more = realloc(slot, (used + 1) * sizeof *slot);
    if (!more)
        return 0;
    slot = more;
    slot[used++] = 1;
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, grow, 0);
    pthread_create(&two, 0, grow, 0);
    free(slot);
    free(slot);
    return 0;
}
