// race
// A section that may write, as its input says, and an atomic access outside of one.
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);
int cell;
void *t(void *arg) {
    for (;;) {
        __VERIFIER_atomic_begin();
        if (__VERIFIER_nondet_bool())
            cell = 1;
        __VERIFIER_atomic_end();
    }
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, t, 0);
    for (;;)
        __atomic_load_n(&cell, 5);
}
