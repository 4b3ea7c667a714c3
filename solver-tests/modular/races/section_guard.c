// proved
// A section looks whether it may access what others access without one.
#include <pthread.h>
#include <stdatomic.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int busy, data;
void *t(void *arg) {
    for (;;) {
        __VERIFIER_atomic_begin();
        if (!busy)
            data = 0;
        __VERIFIER_atomic_end();
    }
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, t, 0);
    for (;;) {
        __VERIFIER_atomic_begin();
        busy = 1;
        __VERIFIER_atomic_end();
        data++;
        __VERIFIER_atomic_begin();
        busy = 0;
        __VERIFIER_atomic_end();
    }
}
