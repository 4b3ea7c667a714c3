// unsafe
// seed 254, order diverged
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
pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_t *m = &m0;
short s0 = 1;
unsigned short s1;
_Atomic int c;
int seen;
int sink;

void *worker0(void *arg) {
    int t = 0;
    seen = 1;
    return (void *)((long)arg + 1 + (t & 1));
}

void *worker1(void *arg) {
    int t = 0;
    t = seen;
    return (void *)((long)arg + 1 + (t & 1));
}

int main(void) {
    int t = 0;
    pthread_t id[2];
    pthread_create(&id[0], 0, worker0, (void *)0l);
    pthread_create(&id[1], 0, worker1, (void *)1l);
    void *r = 0; long sum = 0;
    pthread_join(id[0], &r); sum += (long)r;
    pthread_join(id[1], &r); sum += (long)r;
    assert(sum == 3);
    return 0;
}
