// unsupported
// Memory that is allocated is aligned to 16 bytes, and not to 64.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
int turns;
void *spin(void *arg) { while (1) { turns = !turns; } return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, spin, 0);
    assert(((uintptr_t)malloc(64) & 63) == 0);
    return 0;
}
