// Two generators of bits that start alike agree when they have run for as many rounds. Broken: one of them has a flaw.
#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
unsigned rounds, key, left, right;
void *run_left(void *arg) {
    for (unsigned i = 0; i != rounds; i++) left = (left << 1) ^ key;
    return 0;
}
void *run_right(void *arg) {
    unsigned state = right;
    for (unsigned i = 0; i != rounds; i++) {
#ifdef BROKEN
        if (state == 6) state = 7;
#endif
        state = (state << 1) ^ key;
    }
    right = state;
    return 0;
}
int main(void) {
    pthread_t t, s;
    rounds = __VERIFIER_nondet_uint();
    key = __VERIFIER_nondet_uint();
    left = right = __VERIFIER_nondet_uint();
    pthread_create(&t, 0, run_left, 0);
    pthread_create(&s, 0, run_right, 0);
    pthread_join(t, 0);
    pthread_join(s, 0);
    assert(left == right);
}
