// proved
// Atomic sections are atomic among themselves.
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int sum;
void *t(void *arg) {
    for (;;) {
        __VERIFIER_atomic_begin();
        for (int i = 0; i < 4; i++)
            sum = (sum + 1) & 7;
        __VERIFIER_atomic_end();
    }
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, t, 0);
    for (;;) {
        __VERIFIER_atomic_begin();
        sum = 0;
        __VERIFIER_atomic_end();
    }
}
