// safe
// The program's own beginning and end of a section are atomic themselves.
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_assume(int);

int lock, x;

void __VERIFIER_atomic_begin(void) { __VERIFIER_assume(lock == 0); lock = 1; }
void __VERIFIER_atomic_end(void) { __VERIFIER_assume(lock == 1); lock = 0; }

void *add(void *arg) {
    __VERIFIER_atomic_begin();
    x = x + 1;
    __VERIFIER_atomic_end();
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2);
}
