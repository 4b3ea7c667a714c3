// safe
// As section-left-in-loop.c: what stands between two such sections was put behind them.
#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int), abort(void);
int x, y, c;
void *f(void *a) {
    for (int i = 0; i < 2; i++) {
        __VERIFIER_atomic_begin();
        if (y) goto out;
        assert(x == i);
        __VERIFIER_atomic_end();
        x = i + 1;
    }
    pthread_exit(0);
out:
    pthread_exit(0);
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    int r = x;
    y = 1;
}
