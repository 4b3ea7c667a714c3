// proved
// All numbers but one pass through two places: that it does not come out is shown by induction over several steps.
#include <assert.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
unsigned char first, second;
void *shift(void *arg) {
    for (;;) {
        __VERIFIER_atomic_begin();
        second = first;
        first = __VERIFIER_nondet_uchar();
        first += first == 7;
        __VERIFIER_atomic_end();
    }
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, shift, 0);
    for (;;)
        assert(second != 7);
}
