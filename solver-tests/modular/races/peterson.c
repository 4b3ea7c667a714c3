// proved
// Peterson's algorithm of atomics protects plain data.
#include <pthread.h>
#include <stdatomic.h>
atomic_int claim0, claim1, turn;
int data;
void *t0(void *arg) {
    while (1) {
        claim0 = 1;
        turn = 1;
        while (claim1 && turn == 1);
        data = 0;
        claim0 = 0;
    }
    return 0;
}
void *t1(void *arg) {
    while (1) {
        claim1 = 1;
        turn = 0;
        while (claim0 && turn == 0);
        data = 1;
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
