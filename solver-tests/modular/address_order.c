// unsupported
// Which of two objects lies first, nobody knows.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
int turns;
void *spin(void *arg) { while (1) { turns = !turns; } return 0; }
int a, b;
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, spin, 0);
    assert((uintptr_t)&a > (uintptr_t)&b || (uintptr_t)&a < (uintptr_t)&b + turns);
    return 0;
}
