// Two threads walk by the same steps towards the same limit, each as far as numbers go. Broken: one takes a step more.
#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
unsigned limit, step, near, far;
void *walk(void *arg) {
    while (near < limit && near + step > near) near += step;
    return 0;
}
void *run(void *arg) {
    while (far < limit && far + step > far) {
        far += step;
#ifdef BROKEN
        if (far == 6) far += step;
#endif
    }
    return 0;
}
int main(void) {
    pthread_t t, s;
    limit = __VERIFIER_nondet_uint();
    step = __VERIFIER_nondet_uint();
    pthread_create(&t, 0, walk, 0);
    pthread_create(&s, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(s, 0);
    assert(near == far);
}
