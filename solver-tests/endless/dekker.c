// Dekker's algorithm. Broken: who has no turn keeps its claim and enters.
#include <assert.h>
#include <pthread.h>
_Bool claim0, claim1, turn, inside;
void *t0(void *arg) {
    while (1) {
        claim0 = 1;
        while (claim1)
            if (turn) {
#ifdef BROKEN
                break;
#endif
                claim0 = 0;
                while (turn);
                claim0 = 1;
            }
        inside = 0;
        assert(!inside);
        turn = 1;
        claim0 = 0;
    }
}
void *t1(void *arg) {
    while (1) {
        claim1 = 1;
        while (claim0)
            if (!turn) {
                claim1 = 0;
                while (!turn);
                claim1 = 1;
            }
        inside = 1;
        assert(inside);
        turn = 0;
        claim1 = 0;
    }
}
int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, t0, 0);
    pthread_create(&t[1], 0, t1, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
}
