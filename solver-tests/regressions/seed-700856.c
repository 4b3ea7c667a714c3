// unsafe
// seed 700856, lazy diverged
#include <pthread.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <threads.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void reach_error(void) { assert(0); }
void assume_abort_if_not(int cond) { if (!cond) abort(); }
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
short s0;
union mix { unsigned short word; unsigned char bytes[2]; } mixed;
_Atomic int c;
struct cell { short kind; int value; struct cell *next; };
struct cell c1, c2 = { 1, 1, &c1 }, cs[2];
struct cell *cur = &c1, *alt = &c2, **wp = &cur;
int *vp = &c1.value;
int spin;
int sink;

int helper(int x) {
}

void *worker0(void *arg) {
    struct cell here = { 1, 2, cur };
    (*wp) = &here;
    (*wp) = &c1;
    ((unsigned char *)&cur->value)[0] = 3;
    __sync_bool_compare_and_swap(&cur, &c1, cs + 1);
}

void *worker1(void *arg) {
    struct cell *q = cur != alt ? cur : &cs[1];
    if (q) q->value = q->kind + 2;
    alt = __atomic_exchange_n(&cur, alt, __ATOMIC_SEQ_CST);
}

int main(void) {
    pthread_t id[2];
    pthread_create(&id[0], 0, worker0, (void *)0l);
    pthread_create(&id[1], 0, worker1, (void *)1l);
    pthread_join(id[0], 0);
    assert(c1.value + c2.value <= 3);
}
