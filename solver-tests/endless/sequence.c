// A sequence lock: who reads the same even number before and after has read a pair of one write. Broken: it does not ask
// whether the number is even.
#include <assert.h>
#include <pthread.h>
unsigned char number, left, right;
void *writer(void *arg) {
    while (1) {
        number++;
        left ^= 1;
        right ^= 1;
        number++;
    }
}
void *reader(void *arg) {
    while (1) {
        __VERIFIER_atomic_begin();
        unsigned char before = number, a = left, b = right;
        __VERIFIER_atomic_end();
#ifndef BROKEN
        if (before & 1) continue;
#endif
        assert(a == b);
    }
}
int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, writer, 0);
    pthread_create(&t[1], 0, reader, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
}
