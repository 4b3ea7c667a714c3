// unsupported
// A choice by the number that an address is.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
int turns;
void *spin(void *arg) { while (1) { turns = !turns; } return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, spin, 0);
    switch ((uintptr_t)&turns) {
    case 0x5000: assert(0);
    }
    return 0;
}
