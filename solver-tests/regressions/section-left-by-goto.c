// unsafe
// A goto leaves a section that the other path ends: both go on, one of them within the section.
#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int), abort(void);
int x, y, c;
void *f(void *a) {
    __VERIFIER_atomic_begin();
    x = 1;
    if (y) goto out;
    x = 2;
    __VERIFIER_atomic_end();
out:
    assert(x != 1);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    y = 1;
    pthread_join(t, 0);
}
