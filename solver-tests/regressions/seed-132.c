// safe
// seed 132, order cuts
#include <pthread.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <threads.h>
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void reach_error(void) { assert(0); }
void assume_abort_if_not(int cond) { if (!cond) abort(); }

void *worker1(void *arg) {
    __VERIFIER_atomic_begin();
        *(int *)arg += 1;
    __VERIFIER_atomic_end();
}

int main(void) {
    int shared = 0;
    pthread_t id[2];
    pthread_create(&id[1], 0, worker1, &shared);
    pthread_join(id[1], 0);
}
