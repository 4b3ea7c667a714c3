// unsafe
// A function returns within a section or behind it.
#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int), abort(void);
int x, y, c;
int step(void) { __VERIFIER_atomic_begin(); if (y) return 1; x = 2; __VERIFIER_atomic_end(); return 0; }
void *f(void *a) {
    if (step()) { x = 3; x = 4; }
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    y = 1;
    assert(x != 3);
    assert(x != 4);
}
