// unsupported
// The stripe of an object depends on where it lies.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
int turns;
void *spin(void *arg) { while (1) { turns = !turns; } return 0; }
int locks[4];
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, spin, 0);
    int *p = malloc(4), *q = malloc(4);
    assert(&locks[((uintptr_t)p >> 4) & 3] == &locks[((uintptr_t)q >> 4) & 3]);
    return turns;
}
