// safe
// An iteration that changed nothing but what had been allocated was dropped, and its block was not lost.
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
    while (__VERIFIER_nondet_bool()) malloc(4);
    void *p = malloc(1);
    while (__VERIFIER_nondet_bool()) {
        if (__VERIFIER_nondet_bool()) exit(0);
        p = 0;
    }
    free(p);
}
