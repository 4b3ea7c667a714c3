// unsafe
// seed 517, order missed
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
unsigned char *shared, go;

void *worker0(void *arg) {
    unsigned char *fresh = malloc(2);
    shared = fresh;
}

int main(void) {
    pthread_t id[1];
    pthread_create(&id[0], 0, worker0, (void *)0l);
    unsigned char *got = shared;
    if (got) assert((got[1] & 1) == 0);
}
