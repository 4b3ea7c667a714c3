// unsafe
// The worker waits for itself, once it has the lock. Main comes to its assertion if it has the lock first, and then waits
// for the worker's end in vain.
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
int m;

void lock(void) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(m == 0);
    m = 1;
    __VERIFIER_atomic_end();
}

void *worker(void *arg) {
    lock();
    lock();
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    lock();
    assert(__VERIFIER_nondet_int() != 3);
    pthread_join(id, 0);
    return 0;
}
