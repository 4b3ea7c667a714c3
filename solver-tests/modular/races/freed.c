// proved
// Memory is freed when the thread that uses it has been joined.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void *t(void *arg) {
    int *p = arg;
    while (__VERIFIER_nondet_int())
        (*p)++;
    return 0;
}
int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 0;
    pthread_t a;
    pthread_create(&a, 0, t, p);
    pthread_join(a, 0);
    free(p);
    return 0;
}
