// unsupported
// An address of which a byte is changed.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
int turns;
void *spin(void *arg) { while (1) { turns = !turns; } return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, spin, 0);
    int *p = &turns;
    int **where = &p;
    *(unsigned char *)where = 1;
    assert(p != &turns);
    return 0;
}
