// race
// Memory is freed while a thread reads it.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void *t(void *arg) {
    int *p = arg, sum = 0;
    while (__VERIFIER_nondet_int())
        sum += p[1];
    return 0;
}
int main(void) {
    int *p = calloc(2, sizeof *p);
    if (!p)
        return 0;
    pthread_t a;
    pthread_create(&a, 0, t, p);
    free(p);
    return 0;
}
