// unsupported
// One object may begin where another one ends.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
int turns;
void *spin(void *arg) { while (1) { turns = !turns; } return 0; }
int a[2], b[2], *end = a + 2;
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, spin, 0);
    assert(end != b);
    return 0;
}
