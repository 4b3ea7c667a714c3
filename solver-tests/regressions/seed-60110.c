// safe
// seed 60110, crash
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
struct cell { short kind; int value; struct cell *next; };
struct cell c1, c2 = { 1, 1, &c1 }, cs[2];
struct cell *cur = &c1, *alt = &c2, **wp = &cur;
int *vp = &c1.value;

void *worker0(void *arg) {
    int t = 0;
    cs[t & 1] = *cur->next;
}

void *worker1(void *arg) {
    *vp += 0;
    if (cur->next != cur) {
    }
    struct cell *fresh = malloc(sizeof *fresh); fresh->value = 3; fresh->next = c2.next; fresh->kind = 1;
    cur = fresh;
}

int main(void) {
    pthread_t id[2];
    pthread_create(&id[0], 0, worker0, (void *)0l);
    pthread_create(&id[1], 0, worker1, (void *)1l);
}
