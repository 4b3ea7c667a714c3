// unsupported
// What the first iteration allocates is kept, and the next iterations come from the same place.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
int turns;
void *spin(void *arg) { while (1) { turns = !turns; } return 0; }
int *kept, *last;
int main(void) {
    pthread_t t;
    for (int i = 0; i < 3; i++) {
        int *p = malloc(4);
        if (i == 0) {
            kept = p;
            pthread_create(&t, 0, spin, 0);
        }
        turns = 0;
        last = p;
        turns = 1;
    }
    assert(kept != last);
    return 0;
}
