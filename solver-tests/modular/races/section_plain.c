// race
// A section and a plain access, which comes behind another one in the section.
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int sum, last;
void *t(void *arg) {
    for (;;) {
        __VERIFIER_atomic_begin();
        sum++;
        last = 1;
        __VERIFIER_atomic_end();
    }
}
int main(void) {
    pthread_t a;
    int seen = 0;
    pthread_create(&a, 0, t, 0);
    for (;;)
        seen += last;
}
