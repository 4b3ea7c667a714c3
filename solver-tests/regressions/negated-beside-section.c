// safe
// In a section that may be cut, a value out of the range that its read's guard was folded for was two things at once.
#include <limits.h>
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int sum;
void *w0(void *arg) {
    __VERIFIER_atomic_begin();
    sum++;
    __VERIFIER_atomic_end();
    return 0;
}
void *w1(void *arg) { sum = -sum; return 0; }
int main(void) {
    pthread_t a, b;
    sum = INT_MIN;
    pthread_create(&a, 0, w0, 0);
    pthread_create(&b, 0, w1, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
