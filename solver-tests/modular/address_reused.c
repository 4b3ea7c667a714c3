// unsupported
// What is allocated may lie where freed memory was.
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
    free(p);
    int *q = malloc(4);
    assert(p != q);
    return 0;
}
