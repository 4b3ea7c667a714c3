// safe
// seed 1777, order diverged
#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int u, v, go;

void *worker0(void *arg) {
    __VERIFIER_atomic_begin();
        u = 1;
        while (!go) ;
        v = 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t id[1];
    pthread_create(&id[0], 0, worker0, (void *)0l);
    __VERIFIER_atomic_begin();
        assert(u == v);
    __VERIFIER_atomic_end();
    assert(u == 0);
    return 0;
}
