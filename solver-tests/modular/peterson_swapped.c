// violated
// Peterson's algorithm with endless loops: one thread gives the turn before it claims
#include <assert.h>
#include <pthread.h>
int claim0, claim1, turn, inside;
void *t0(void *arg) {
    while (1) {
        turn = 1;
        claim0 = 1;
        while (claim1 && turn == 1);
        inside = 0;
        assert(inside == 0);
        claim0 = 0;
    }
    return 0;
}
void *t1(void *arg) {
    while (1) {
        claim1 = 1;
        turn = 0;
        while (claim0 && turn == 0);
        inside = 1;
        assert(inside == 1);
        claim1 = 0;
    }
    return 0;
}
int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, t0, 0);
    pthread_create(&t[1], 0, t1, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
