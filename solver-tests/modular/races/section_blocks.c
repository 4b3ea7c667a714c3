// race
// A section that cannot come to its end attempts what it gets to all the same.
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
int data;
void *t(void *arg) {
    __VERIFIER_atomic_begin();
    data = 1;
    __VERIFIER_assume(0);
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, t, 0);
    for (;;)
        data++;
}
