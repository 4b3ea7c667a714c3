// A commit in two phases, over and over: nobody commits what the other aborts. Broken: the coordinator asks one of them only.
#include <assert.h>
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
enum { IDLE, ASKED, YES, NO, COMMIT, ABORT };
int state[2];
void *participant(void *arg) {
    int me = arg != 0;
    while (1) {
        while (state[me] != ASKED);
        state[me] = __VERIFIER_nondet_bool() ? YES : NO;
        int voted = state[me];
        while (state[me] != COMMIT && state[me] != ABORT);
        assert(!(state[me] == COMMIT && voted == NO));
        state[me] = IDLE;
    }
}
int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, participant, 0);
    pthread_create(&t[1], 0, participant, &state);
    while (1) {
        while (state[0] != IDLE || state[1] != IDLE);
        state[0] = ASKED;
        state[1] = ASKED;
        while (state[0] == ASKED);
        while (state[1] == ASKED);
#ifdef BROKEN
        int decided = state[0] == YES;
#else
        int decided = state[0] == YES && state[1] == YES;
#endif
        state[0] = decided ? COMMIT : ABORT;
        state[1] = decided ? COMMIT : ABORT;
    }
}
