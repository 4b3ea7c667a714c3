// safe
// Branches begin a section each, one of them after a store: the store was put behind the section.
#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int), abort(void);
int x, y, c;
int z;
void *f(void *a) {
    int r, q = y;
    if (q) {
        z = 5;
        __VERIFIER_atomic_begin();
        r = z;
    } else {
        __VERIFIER_atomic_begin();
        r = c + 5;
    }
    x = r;
    __VERIFIER_atomic_end();
    assert(r >= 5);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    y = 1; c = 1;
    int s = z;
    z = 6;
}
