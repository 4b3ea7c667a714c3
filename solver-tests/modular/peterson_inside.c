// proved
// Peterson's algorithm as in the paper on modular verification: t0 asserts that t1 is not inside.
#include <assert.h>
#include <pthread.h>
_Bool claim0, claim1, cs0, cs1;
int turn;
void *t0(void *arg) {
    while (1) {
        claim0 = 1;
        turn = 1;
        while (claim1 && turn != 0);
        cs0 = 1;
        assert(!cs1);
        cs0 = 0;
        claim0 = 0;
    }
    return 0;
}
void *t1(void *arg) {
    while (1) {
        claim1 = 1;
        turn = 0;
        while (claim0 && turn != 1);
        cs1 = 1;
        cs1 = 0;
        claim1 = 0;
    }
    return 0;
}
int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, t0, 0);
    pthread_create(&t[1], 0, t1, 0);
    return 0;
}
