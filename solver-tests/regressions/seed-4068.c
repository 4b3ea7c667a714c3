// unsafe
// seed 4068, lazy diverged
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
unsigned s0;
int u, v, go;

void *worker0(void *arg) {
    int t = 0;
    __VERIFIER_atomic_begin();
        u = 1;
        if (!go) pthread_exit(0);
    __VERIFIER_atomic_end();
    s0 = (t & 3) * -1;
}

void *worker1(void *arg) {
    int t = 0;
    s0 = t;
}

int main(void) {
    int t = 0;
    pthread_t id[2];
    pthread_create(&id[0], 0, worker0, (void *)0l);
    pthread_create(&id[1], 0, worker1, (void *)1l);
    go = 1;
    t = u;
    assert(t == v);
}
