// unsupported
// The lower half of an address is not zero everywhere.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
int turns;
void *spin(void *arg) { while (1) { turns = !turns; } return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, spin, 0);
    int *p = malloc(4);
    assert((int)(long)p == 0);
    return 0;
}
