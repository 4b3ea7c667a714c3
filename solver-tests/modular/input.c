// violated
// Needs a certain input, after a wait, in a function that is called twice.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int ready, sum;
static void add(void) {
    int local, *p = &local;
    *p = __VERIFIER_nondet_int();
    __VERIFIER_assume(local > 100 && local < 1000);
    sum += local;
}
void *t(void *arg) {
    add();
    add();
    ready = 1;
    return (void *)7;
}
int main(void) {
    pthread_t a;
    void *result;
    pthread_create(&a, 0, t, 0);
    while (!ready);
    pthread_join(a, &result);
    assert((long)result == 7);
    assert(sum != 1234);
}
