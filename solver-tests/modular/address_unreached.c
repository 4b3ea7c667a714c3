// proved
// What looks at an address is never reached.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
int turns;
void *spin(void *arg) { while (1) { turns = !turns; } return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, spin, 0);
    if (turns > 1)
        assert((uintptr_t)&turns % 4096 == 0);
    return 0;
}
